import Naming
import Testing
import UserNotifications
import Vocabulary

/// Random lives of a centre, with apps that answer, answer late, twice, or never; and small ones
/// in every order.
@Suite struct CenterPropertyTests {
  // Proves: K5, K19, K20
  @Test(arguments: 0..<20)
  func `every response is heard of once, every call ends once, and nothing grows`(part: UInt64) {
    var counts: [String: Int] = [:]
    for seed in part * 10..<part * 10 + 10 {
      var life = Life(seed: seed)
      for _ in 0..<200 where life.watched.faults.isEmpty { life.act() }
      life.watched.end()
      #expect(life.watched.faults == [], "seed \(seed)")
      if !life.watched.faults.isEmpty { return }
      counts.merge(life.watched.counts, uniquingKeysWith: +)
    }
    let rare: Set = [
      "response", "unlock", "launch", "refuse", "dropped", "tooManyCalls",
      "presented", "notPresented", "newData", "completed", "timedOut",
    ]
    #expect(rare.isSubset(of: counts.keys), "\(rare.subtracting(counts.keys))")
  }

  /// One notification, and everything that can happen to it, in every order.
  // Proves: K5, K19, K20
  @Test(arguments: RegistrationMode.allCases, AppPhase.allCases)
  func `in whatever order four things happen, nobody hears twice or never`(
    mode: RegistrationMode, phase: AppPhase
  ) {
    let world = WatchedCenter(mode, phase, CenterSettings())
    var worlds = 0
    explore(world, depth: 4, &worlds)
    #expect(worlds == 8 * 8 * 8 * 8)
  }

  private func explore(_ world: WatchedCenter, depth: Int, _ worlds: inout Int) {
    guard depth > 0 else {
      var world = world
      world.end()
      worlds += 1
      if !world.faults.isEmpty { Issue.record("\(world.faults)") }
      return
    }
    for step in 0..<8 {
      var next = world
      take(step, in: &next)
      explore(next, depth: depth - 1, &worlds)
    }
  }

  private func take(_ step: Int, in world: inout WatchedCenter) {
    let remote = RemoteNotification(
      id: "n1", date: Phone.evening,
      payload: Phone.alert(category: "GROUP_WATCH_INVITE", contentAvailable: true))
    switch step {
    case 0: world.feed(.arrived(remote))
    case 1: world.feed(.tapped("n1"))
    case 2: world.feed(.acted("n1", action: "ACCEPT_IDENTIFIER"))
    case 3: world.feed(.dismissed("n1"))
    case 4:
      let hasAll = world.center.handlers.contains(.userAction)
      world.feed(
        .handlers(hasAll ? [] : [.reception, .willPresent, .userAction, .legacyAction]))
    case 5:
      world.feed(
        world.center.standingNotifications.isEmpty ? .listed(standing: [remote]) : .revoked(["n1"]))
    case 6:
      guard let token = world.lastToken else { return }
      world.feed(
        world.running[token]?.handler == .willPresent
          ? .presented(.all, token) : .completed(token, .newData))
    default: world.pass(.seconds(10))
    }
  }
}

/// One random life.
private struct Life {
  var watched: WatchedCenter
  var random: SplitMix64
  private var lastID = 0
  private var remotes: [RemoteNotification] = []
  private var tokens: [CallToken] = []
  /// The largest of the bounds below.
  private let longestList = 6

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    var settings = CenterSettings()
    (settings.standingLimit, settings.keptLimit, settings.lockedLimit) = (3, 2, 2)
    (settings.callLimit, settings.requestLimit) = (6, 3)
    watched = WatchedCenter(
      RegistrationMode.allCases[Int(seed % 2)], AppPhase.allCases[Int(seed / 2 % 3)], settings)
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  mutating func act() {
    if watched.center.isLocked, chance(30) { respond(by: "PAY") }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: arrive()
    case 20..<26: schedule()
    case 26..<46: respond()
    case 46..<62: answer()
    case 62..<72: watched.pass(.milliseconds(Int.random(in: 0...12_000, using: &random)))
    case 72..<81: watched.feed(.phase(pick(AppPhase.allCases)))
    case 81..<84: setHandlers()
    case 84..<88: watched.feed(.locked(chance(60)))
    case 88..<90: watched.feed(.revoked(remotes.suffix(6).map(\.id).filter { _ in chance(50) }))
    case 90..<92:
      watched.feed(
        .listed(
          standing: remotes.suffix(6).filter { _ in chance(50) },
          new: remotes.suffix(1).filter { _ in chance(30) }))
    case 92: watched.feed(.remove(watched.center.standingNotifications.prefix(1).map(\.id)))
    case 93: watched.feed(.register(pick(RegistrationMode.allCases)))
    case 94: watched.feed(.categories(chance(30) ? [] : [.groupWatchInvite(), Phone.chores]))
    case 95: watched.feed(.unschedule(watched.center.pendingRequests.prefix(1).map(\.id)))
    case 96: putClockRight()
    case 97:
      if let id = watched.center.standingNotifications.last?.id { watched.feed(.unlockRefused(id)) }
    case 98:
      watched.feed(.userChanged)
      remotes = []
    default: watched.feed(chance(50) ? .clockAdvanced : .heard(NotificationID("n\(lastID)")))
    }
    if let token = watched.lastToken, tokens.last != token { tokens.append(token) }
    if watched.longestList > longestList { watched.faults.append("something grows") }
  }

  private mutating func setHandlers() {
    let all: [NotificationCenterState.Handlers] = [
      .reception, .willPresent, .userAction, .launch, .legacyAction,
    ]
    watched.feed(.handlers(all.filter { _ in chance(60) }.reduce([]) { $0.union($1) }))
  }

  private mutating func arrive() {
    if chance(15), let again = remotes.randomElement(using: &random) {
      return watched.feed(.arrived(again))
    }
    lastID += 1
    var payload =
      chance(15)
      ? NotificationPayload.silent(["x": 1])
      : Phone.alert(
        category: pick([nil, "CHORES", "GROUP_WATCH_INVITE"]), contentAvailable: chance(40))
    if chance(15) { payload.badge = lastID % 3 }
    if chance(15) { payload.sound = .default }
    if chance(10), let gone = remotes.last { payload.custom["revoke"] = [.string(gone.id.text)] }
    let now = watched.center.standingNotifications.last?.date ?? Phone.evening
    let remote = RemoteNotification(
      id: NotificationID("n\(lastID)"), date: Phone.evening, payload: payload,
      collapseID: chance(20) ? "c" : nil,
      expires: chance(20) ? now + .seconds(Int.random(in: 0...40, using: &random)) : nil)
    remotes.append(remote)
    watched.feed(.arrived(remote))
  }

  private mutating func schedule() {
    lastID += 1
    var content = NotificationContent(body: "Dinner")
    content.categoryID = pick([nil, "CHORES"])
    let trigger: NotificationTrigger = pick([
      .none, .none, .timeInterval(.seconds(4), repeats: false),
      .timeInterval(.seconds(60), repeats: true), .timeInterval(.zero, repeats: false), .push,
      .calendar(DateMatch(second: 30), repeats: chance(50)), .calendar(DateMatch(), repeats: true),
    ])
    let id = chance(80) ? "l\(lastID)" : "l0"
    watched.feed(
      .schedule(
        NotificationRequest(id: NotificationID(id), content: content, trigger: trigger)))
  }

  private mutating func respond(by action: String? = nil) {
    let ids = watched.center.standingNotifications.map(\.id)
    let id = chance(90) ? ids.randomElement(using: &random) : NotificationID("n\(lastID)")
    guard let id = id ?? remotes.last?.id else { return }
    if let action { return watched.feed(.acted(id, action: action)) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: watched.feed(.tapped(id))
    case 2: watched.feed(.dismissed(id))
    case 3: watched.feed(.acted(id, action: "PAY"))
    case 4: watched.feed(.acted(id, action: pick([nil, "OPEN", "UNKNOWN"])))
    default:
      let actions = ["ACCEPT_IDENTIFIER", "DECLINE_IDENTIFIER", "REPLY_IDENTIFIER", "DONE"]
      watched.feed(.acted(id, action: pick(actions), text: chance(50) ? "Hello" : nil))
    }
  }

  /// Answers a call, often one that waits, sometimes one that is long over, or as another kind.
  private mutating func answer() {
    let waiting = watched.running.keys.sorted { $0.number < $1.number }
    let token =
      chance(85) ? waiting.randomElement(using: &random) : tokens.randomElement(using: &random)
    guard let token else { return }
    let isChoice = watched.running[token]?.handler == .willPresent
    if isChoice != chance(5) {
      watched.feed(.presented(pick([.all, .all, .banner, .sound, []]), token))
    } else {
      watched.feed(.completed(token, pick(FetchResult.allCases)))
    }
  }

  private mutating func putClockRight() {
    let seconds = Int.random(in: -90...90, using: &random)
    let passed = watched.time - Phone.start
    watched.feed(
      .clock(
        DeviceClock(Phone.evening + passed + .seconds(seconds), at: watched.time)))
  }
}
