import InAppMessaging
import Naming
import Testing
import Vocabulary

/// Random lives of a presenter, with apps and views that answer, answer late, twice, or never.
@Suite struct PresenterPropertyTests {
  // Proves: R-13, R-16, R-25, R-27, R-28, R-31, R-33, R-34, R-41
  @Test(arguments: 0..<40)
  func `every delivery ends once, is seen at most once, and nothing keeps the screen`(
    part: UInt64
  ) {
    var counts: [String: Int] = [:]
    for seed in part * 10..<part * 10 + 10 {
      var life = Life(seed: seed)
      for _ in 0..<150 where life.ledger.faults.isEmpty { life.act() }
      life.end()
      #expect(life.ledger.faults == [], "seed \(seed)")
      if !life.ledger.faults.isEmpty { return }
      counts.merge(life.ledger.counts, uniquingKeysWith: +)
    }
    let rare: Set = ["trigger", "stack", "deferred", "local", "leave", "replaced", "userMismatch"]
    #expect(rare.isSubset(of: counts.keys))
  }
}

/// One random life.
private struct Life {
  var presenter: MessagePresenter
  var ledger = Ledger()
  var random: SplitMix64
  var time = HostTime(microseconds: 0)
  var lastID = 0
  /// Questions and commands that could be answered, also those that are over.
  var questions: [MessagePresenter.Output] = []
  var deliveries: [MessageID] = []
  static let sessions: [SessionID] = ["s1", "s2"]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    var settings = PresenterSettings()
    settings.drainPolicy = DrainPolicy.allCases[Int(seed % 3)]
    settings.hidesOnTextInput = seed % 2 == 0
    settings.stackLimit = 4
    settings.questionLimit = 3
    presenter = MessagePresenter(settings, user: "u1")
  }

  mutating func feed(_ input: MessagePresenter.Input) {
    for output in presenter.handle(input, at: time) {
      ledger.read(output)
      switch output {
      case .ask, .view(.show, _), .view(.dismiss, _): questions.append(output)
      default: break
      }
    }
    if questions.count > 12 { questions.removeFirst() }
    if presenter.isScreenTaken, ledger.onScreen.first.map({ ledger.stages[$0] }) != .there,
      presenter.nextDeadline == nil
    {
      ledger.faults.append("the screen is taken without a deadline after \(input)")
    }
    if presenter.stackedMessages.count > 4 { ledger.faults.append("the stack overflows") }
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func act() {
    // What stands in the way does not stand there for long, or nothing would ever be shown.
    if !presenter.platform.hasDisplay, chance(25) { change { $0.hasDisplay = true } }
    if presenter.platform.isTextInputFocused, chance(15) {
      change { $0.isTextInputFocused = false }
    }
    if presenter.suppression != .none, chance(25) { feed(.suppress(.none)) }
    if presenter.lease != nil, chance(25) { feed(.releaseLease(LeaseTag(1))) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<18: bring()
    case 18..<60: answer()
    case 60..<72: work()
    case 72..<80:
      time = time + .milliseconds(Int.random(in: 0...4_000, using: &random))
      feed(.clockAdvanced)
    case 80..<88: surround()
    case 88..<94: changeSession()
    case 94..<96: feed(.suppress(pick([.none, .none, .queue, .discard])))
    case 96: feed(.acquireLease(LeaseTag(1)))
    case 97, 98: feed(.revoke(chance(50) ? deliveries.suffix(3) : [], force: chance(50)))
    default:
      if chance(50) { feed(pick([.dataWiped, .pageClosed, .userChanged(pick(["u1", "u2"]))])) }
    }
  }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  private mutating func bring() {
    lastID += 1
    let id = "m\(lastID)"
    if chance(15) {
      ledger.asked.insert(lastID)
      return feed(.presentNext(PresentNextTag(lastID)))
    }
    if chance(15) {
      let message = local(id)
      ledger.expect(message)
      return feed(.present(message))
    }
    var message =
      chance(30)
      ? player(id, session: pick(Self.sessions), video: pick(["one", "two", "three"]))
      : message(
        id, kind: pick([.modal, .slideup, .banner, .fullImage, .html, .control, .card]),
        campaign: pick([id, id, "c1", "c2"]))
    message.campaign?.user = chance(95) ? presenter.user ?? "u1" : "u3"
    message.impression = pick([.onPresent, .explicit, .afterVisible(.seconds(2))])
    if chance(30) { message.orientation = pick([.portrait, .landscape]) }
    if chance(30) { message.closing.after = .seconds(3) }
    if chance(30) {
      message.buttons = [
        .init(id: "1", text: "Leave", clickAction: .session(.leave)),
        .init(id: "2", text: "Join", clickAction: .session(.join)),
      ]
    }
    deliveries.append(message.id)
    ledger.expect(message)
    let timeToLive: Duration? = chance(30) ? .seconds(2) : nil
    feed(.deliver(message, timeToLive: timeToLive))
    if chance(5) { feed(.deliver(message)) }
  }

  /// Answers a question, often the last one, sometimes one that is long over.
  private mutating func answer() {
    guard let question = chance(70) ? questions.last : questions.randomElement(using: &random)
    else { return }
    if chance(80) { questions.removeAll { $0 == question } }
    switch question {
    case .ask(.displayChoice, let token):
      feed(.chose(pick([.now, .now, .now, .reenqueue, .discard]), token))
    case .ask(.loadAssets, let token):
      feed(.assets(pick([.loaded, .loaded, .landscapeFailed, .failed]), token))
    case .ask(.prepare(var context), let token):
      if chance(20) { context.statusBarHideBehavior = .hidden }
      if chance(20) { context.preferredOrientation = .landscape }
      if chance(10) { context.message = local("other", kind: pick([.modal, .control])) }
      feed(.prepared(context, token))
    case .ask(.shouldProcess(_, _, _, _, let click), let token):
      feed(.decided(process: chance(70), click: click, token))
    case .view(.show, let token):
      feed(.view(chance(80) ? .presented : pick([.declined, .failed(.other), .detached()]), token))
    case .view(.dismiss, let token): feed(.view(.dismissed, token))
    default: break
    }
  }

  private mutating func work() {
    guard let token = presenter.currentToken else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: feed(.view(.clicked(button: pick([nil, "1", "2", "9"])), token))
    case 3...5: feed(.view(.closed(pick([.button, .escape, .swipe(), .tapOutside])), token))
    case 6: feed(.reported(pick([.impression, .clicked(button: nil), .dismissed(.swipe)]), token))
    case 7: feed(.dismiss(leavesSession: chance(50)))
    case 8: feed(.view(pick([.detached(), .failed(.image), .loggedClick(button: "x")]), token))
    default: feed(.reported(.failed(.other), token))
    }
  }

  private mutating func change(_ change: (inout PlatformState) -> Void) {
    var platform = presenter.platform
    change(&platform)
    feed(.platform(platform))
  }

  private mutating func surround() {
    var platform = presenter.platform
    switch Int.random(in: 0..<6, using: &random) {
    case 0: platform.isVisible.toggle()
    case 1: platform.isTextInputFocused.toggle()
    case 2: platform.orientation = platform.orientation == .portrait ? .landscape : .portrait
    case 3: platform.hasDisplay = chance(50)
    case 4: platform.colorScheme = platform.colorScheme == .dark ? .light : .dark
    default: (platform.width, platform.height) = chance(50) ? (390, 844) : (1_024, 768)
    }
    feed(.platform(platform))
  }

  private mutating func changeSession() {
    let id = pick(Self.sessions)
    let media = SessionMedia(url: "https://example.com/\(pick(["one", "two"])).mp4", title: nil)
    switch Int.random(in: 0..<8, using: &random) {
    case 0...3:
      ledger.left.remove(id)
      feed(.session(.joined(id, chance(50) ? media : nil)))
    case 4...6: feed(.session(.media(id, media)))
    default: feed(.session(.ended(id)))
    }
  }

  /// Nobody answers any more: what does not stand on screen has to let go of it, and in the end
  /// everything ends.
  mutating func end() {
    for _ in 0..<200 {
      guard let due = presenter.nextDeadline else { break }
      time = max(time, due)
      feed(.clockAdvanced)
    }
    if presenter.nextDeadline != nil { ledger.faults.append("the deadlines never end") }
    if presenter.isScreenTaken, ledger.onScreen.first.map({ ledger.stages[$0] }) != .there {
      ledger.faults.append("the screen is stuck")
    }
    feed(.userChanged("nobody"))
    if presenter.isScreenTaken { ledger.faults.append("the screen is taken after all") }
    ledger.close()
  }
}
