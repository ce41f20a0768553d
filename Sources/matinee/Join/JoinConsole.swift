import EventLoops
import GroupSessions
import InAppMessaging
import MatineeClient
import Participation
import Players
import Scenarios
import UserNotifications
import Vocabulary
import Wire
import YAML

/// One person at a terminal or a pipe: verbs go in, what happens comes out as lines.
///
/// Confined to its loop's thread.
final class JoinConsole {
  private(set) var wasSentAway = false
  /// What was expected and not seen.
  private(set) var disappointment: String?
  /// Why the server was never reached, when the input had ended.
  private(set) var connectProblem: String?
  private let loop: EventLoop
  private let group: String
  private let name: String
  private let stays: Bool
  private var wish: Wish?
  private var person: ScriptedPerson
  private var participant: LoopParticipant?
  private var input: StandardInput?
  private var lines = LineSplitter(maximumLineBytes: JoinConsole.lineBytesMaximum)
  private var patience: LoopTimer?
  private var script: ScriptedLines
  private var nextLook: LoopTimer?
  private var teller = SessionTeller()
  private let styling = TextStyling.standardOutput
  private let messages = JoinMessages()
  private let notifications: JoinNotifications
  /// Whether a notification came on screen after the last message.
  private var isNotified = false
  /// Whether the person is asked before they join what others start.
  private let asks: Bool
  private var isLeaving = false
  private var hasConnected = false
  /// Whether no line comes any more, and the last of those that wait is the end.
  private var isInputOver = false

  /// A verb with the longest message one may say.
  private static let lineBytesMaximum = 64 * 1024
  /// How long to look whether the group watches something before starting one's own: an offer
  /// comes in the same breath as the eligibility.
  private static let lookAround = Duration.milliseconds(500)
  /// Under which notifications are registered for; a server without any is nobody's worry.
  private static let registrationTag = -1
  /// Under which the person asks about their notifications.
  private static let trayTag = -2

  /// What the person came to watch.
  private struct Wish {
    let media: OwnMedia
    var isDue = false
  }

  init(
    name: String, group: String, watching media: String?, stays: Bool, asks: Bool,
    on loop: EventLoop
  ) {
    self.loop = loop
    self.group = group
    self.name = name
    self.stays = stays
    script = ScriptedLines(of: name)
    self.asks = asks
    notifications = JoinNotifications(asks: asks)
    let scenario = Scenario(
      name: "join", group: group, items: [], peers: [ScenarioPeer(name: name)], steps: [])
    person = ScriptedPerson(ScenarioPeer(name: name), in: scenario)
    if let media {
      let own = OwnMedia(media)
      wish = Wish(media: own)
      person.bring(own.item)
    }
  }

  func start(
    _ settings: ClientSettings, at endpoint: Endpoint, player: Join.PlayerKind, headless: Bool
  ) throws(PlayerStartError) {
    var failure: PlayerStartError?
    let title = "Matinee: \(group)"
    let participant = LoopParticipant(
      settings, at: endpoint, on: ClientLoop(on: loop), seed: .random(in: .min ... .max),
      delegate: self
    ) { [loop] delegate in
      switch player {
      case .simulated:
        return SimulatedPlayerShell(PlayerTraits(), seed: 1, on: loop, delegate: delegate)
      case .mpv:
        var settings = MpvSettings()
        settings.output = headless ? .headless : .window(title: title)
        do throws(PlayerStartError) {
          return try MpvPlayer(settings, on: loop, delegate: delegate)
        } catch {
          failure = error
          return nil
        }
      }
    }
    if let failure { throw failure }
    self.participant = participant
    patience = LoopTimer(on: loop) { [unowned self] in startWish() }
    nextLook = LoopTimer(on: loop) { [unowned self] in goOn() }
    if let wish { participant.ownCopies[wish.media.id] = wish.media.item.url }
    do throws(UVError) {
      input = try StandardInput(on: loop, delegate: self)
    } catch {
      say("cannot read verbs: \(error)")
    }
    participant.take(.center(.handlers(JoinNotifications.handlers)))
    participant.take(.center(.categories([.groupWatchInvite()])))
    participant.start()
    participant.ask(.notifications(.register()), tag: Self.registrationTag)
    perform(.joinGroup(nil))
  }

  /// Leaves the session and the group, and ends.
  func quit() {
    guard !isLeaving else { return }
    isLeaving = true
    input?.close()
    patience?.close()
    nextLook?.close()
    // Each start is a device of its own: nothing is to come here any more.
    participant?.ask(.notifications(.unregister), tag: Self.registrationTag)
    participant?.close()
    participant = nil
  }

  /// What is said may hold what others wrote; it is one line, whatever that is.
  private func say(_ line: StyledLine) {
    printNow(line.styled(styling))
  }
}

@available(*, unavailable)
extension JoinConsole: Sendable {}

// MARK: Verbs

extension JoinConsole: StandardInputDelegate {
  func standardInput(_ input: StandardInput, didRead bytes: Span<UInt8>) {
    var texts: [String] = []
    lines.split(bytes) { line in
      var copy: [UInt8] = []
      for index in line.indices { copy.append(line[index]) }
      texts.append(String(decoding: copy, as: UTF8.self))
    } onOverlongLine: {
      texts.append("")
    }
    for text in texts where !script.add(text) { say("too many lines wait: “\(text)” is left out") }
    goOn()
  }

  func standardInput(_ input: StandardInput, didEnd error: UVError?) {
    if let error { say("cannot read verbs any more: \(error)") }
    isInputOver = !stays
    goOn()
  }

  /// Obeys the lines that wait for nothing, and leaves behind the last one of an input that is over.
  private func goOn() {
    while !isLeaving, let client = participant?.value {
      let step = script.next(seen: observe(client), at: loop.now)
      switch step {
      case .obey(let line): obey(line)
      case .met(let text): say("as expected: \(text)")
      case .failed(let text, let instead):
        disappointment = "expected: \(text); but \(instead)"
        quit()
      case .misread(let problem): say(StyledLine(problem))
      case nil:
        nextLook?.fire(at: script.nextLook(at: loop.now))
        if isInputOver, hasConnected, script.isEmpty { quit() }
        return
      }
    }
  }

  private func observe(_ client: Client) -> Observation {
    let player = client.playerReading.map {
      Observation.Player(position: $0.place, isRunning: $0.isRunning, commands: 0)
    }
    return person.observe(client, player: player, at: loop.now)
  }

  private func obey(_ text: String) {
    let phrase = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let value = participant?.value else { return }
    if isNotified, let wishes = notifications.obey(phrase, text, value) { return grant(wishes) }
    if let wishes = messages.obey(phrase) { return grant(wishes) }
    if let wishes = notifications.obey(phrase, text, value) { return grant(wishes) }
    if let event = EventVerb(phrase) { return log(event) }
    if let verb = NotificationVerb(phrase) { return grant(notifications.obey(verb, value)) }
    switch phrase {
    case "", "who", "status": tellState()
    case "quit", "exit": quit()
    case "help": printNow(JoinHelp.text)
    default:
      do throws(PhraseError) {
        perform(bringing(try Verb(phrase)))
      } catch {
        say("\(error.problem); help lists the verbs")
      }
    }
  }

  /// A verb that names media not heard of before brings it along.
  private func bringing(_ verb: Verb) -> Verb {
    func own(_ name: String) -> String {
      let media = OwnMedia(name)
      person.bring(media.item)
      participant?.ownCopies[media.id] = media.item.url
      return media.item.name
    }
    return switch verb {
    case .activate(let name?, let answer, let manner):
      .activate(item: own(name), answer: answer, manner: manner)
    case .stage(let name?, let manner): .stage(item: own(name), manner: manner)
    case .item(let name): .item(own(name))
    case .queue(.add(let name, let isNext)): .queue(.add(own(name), isNext: isNext))
    default: verb
    }
  }

  private func perform(_ verb: Verb) {
    guard let participant else { return }
    for act in person.perform(verb, with: participant.value) { carryOut(act) }
    if let refusal = person.refusal { say("not now: \(refusal)") }
  }

  private func carryOut(_ act: ScriptedPerson.Act) {
    switch act {
    case .ask(let request, let tag): participant?.ask(request, tag: tag)
    case .tell(let input): participant?.take(input)
    case .player(let order):
      participant?.order(order)
      if case .load(let media) = order {
        participant?.take(.enqueuedAlone(SessionMedia(url: media.url, title: media.title)))
      }
    case .answerInvitation, .startApp, .endApp, .press, .stallPlayer, .cutNetwork, .restoreNetwork,
      .setNetwork, .stallNetwork:
      say("that verb is for scenarios: see matinee demo --help")
    }
  }

  private func startWish() {
    guard let wish, let value = participant?.value, value.session == nil, value.offer == nil
    else { return }
    self.wish = nil
    perform(.activate(item: wish.media.item.name, answer: .share, manner: .init()))
  }

  private func tellState() {
    guard let value = participant?.value else { return }
    for line in teller.state(of: value, at: loop.now) { say(StyledLine(line)) }
  }
}

// MARK: Messages and notifications

extension JoinConsole {
  private func grant(_ wishes: [JoinMessages.Wish]) {
    for wish in wishes {
      switch wish {
      case .say(let line): say(line)
      case .take(let input): participant?.take(input)
      case .playAlone(let media?): participant?.order(.load(media))
      case .playAlone(nil): participant?.order(.unload)
      case .share(let url): obey("activate \(url)")
      }
    }
  }

  private func grant(_ wishes: [JoinNotifications.Wish]) {
    for wish in wishes {
      switch wish {
      case .say(let line): say(line)
      case .bring(let input): participant?.take(.center(input))
      case .ask(let request): participant?.ask(.notifications(request), tag: Self.trayTag)
      }
    }
  }

  private func log(_ verb: EventVerb) {
    switch verb {
    case .log(let name, let properties):
      participant?.take(.log(.event(name: name, properties: properties)))
    case .set(let key, let value): participant?.take(.setAttribute(key, value))
    case .next: participant?.take(.presenter(.presentNext(PresentNextTag(0))))
    }
  }
}

// MARK: What happens

extension JoinConsole: LoopParticipantDelegate {
  func participant(_ participant: LoopParticipant, didPublish update: Client.Update) {
    person.hear(update, from: participant.value)
    if case .outcome(Self.registrationTag, _) = update { return }
    for line in teller.lines(for: update, participant.value) { say(StyledLine(line)) }
    if case .presenter(let output) = update {
      if case .view(.show, _) = output { isNotified = false }
      grant(messages.hear(output, participant.value))
    }
    grant(messages.note(participant.value))
    switch update {
    case .outcome(Self.trayTag, .listed(let list)):
      grant(notifications.take(list, participant.value))
    case .center(let output):
      if case .show = output { isNotified = true }
      grant(notifications.hear(output))
    case .eligibility(.eligible):
      if wish != nil { patience?.fire(at: loop.now + Self.lookAround) }
    case .session(_, .waiting(let offer)):
      if !offer.isStaged, !asks { perform(.join) }
    case .session(_, .joined): wish = nil
    case .connection(.online):
      hasConnected = true
      if isInputOver { goOn() }
    case .connection(.connecting(let why?)) where isInputOver:
      connectProblem = why
      quit()
    case .session(_, .invalidated(.removed)): endAgainstWill()
    case .connection(.offline(let failure)) where failure != .closed: endAgainstWill()
    default: break
    }
  }

  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason) {
    switch reason {
    case .quit: say("the player was closed")
    case .failed(let why): say("the player is gone: \(why)")
    }
    quit()
  }

  private func endAgainstWill() {
    wasSentAway = true
    quit()
  }
}
