import MatineeClient
import Scenarios
import Stages
import Vocabulary
import YAML

/// One person at a terminal or a pipe: reads verbs and prints events as lines.
///
/// It is written as an app would be: it uses only the public library, with one task for each
/// sequence that it follows, all on the main actor.
@MainActor
final class JoinConsole {
  /// How the run ended.
  enum Ending: Equatable, Sendable {
    case left
    /// The server or the group sent the person away.
    case sentAway
    /// An expected condition was not met, or a script's line for one cannot be read.
    case disappointed(String)
    /// The server was never reached before the input ended.
    case unreachable(String)
    /// The player failed.
    case unplayable(String)
  }

  /// The options that the person gave.
  struct Wishes {
    var place: GroupPlace
    var security: ServerSecurity
    var name: String
    /// Whether a token says who the person is.
    var hasToken = false
    /// The media to watch, as the person named it.
    var media: String?
    /// What the group is told of the person's files.
    var privacy = FilePrivacy.name
    /// Whether the person stays when the input ends.
    var stays = false
    /// Whether the person is asked before they join what others start.
    var asks = false
    /// Whether the lines come from a terminal, where the person sees a mistake and corrects it.
    var isTyped = false
  }

  private let client: GroupWatchClient
  private let terminal: TerminalInput
  private let wishes: Wishes
  private let voice: JoinVoice
  private let sessions: SessionTeller
  private let messages: JoinMessages
  private let notifications: JoinNotifications
  private let keys: JoinKeys
  private let person: JoinPerson
  private let (endings, ends) = AsyncStream.makeStream(of: Ending.self)
  private let (looks, looksAgain) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private var script: ScriptedLines
  private let began = ContinuousClock.now
  /// The media to start, until the person watches something.
  private var wish: BroughtMedia?
  private var hasConnected = false
  /// Whether the connection was lost, which is told once and not for each attempt to get it back.
  private var wasLost = false
  /// Whether the input has ended; the program leaves after the last pending line.
  private var isInputOver = false
  private var lastMembers: Set<String> = []
  private var isClockPoor = false
  private var isLookPending = false

  /// How long to wait for a slow server to receive the goodbye.
  private static let farewell = Duration.seconds(1)

  init(_ client: GroupWatchClient, _ terminal: TerminalInput, _ wishes: Wishes) {
    self.client = client
    self.terminal = terminal
    self.wishes = wishes
    voice = JoinVoice()
    sessions = SessionTeller(client, voice, asks: wishes.asks)
    messages = JoinMessages(client, sessions, voice) { .forMessages }
    keys = JoinKeys(client, wishes, voice)
    notifications = JoinNotifications(
      client.notifications, voice, asks: wishes.asks, size: { .forMessages }
    ) { [keys] in keys.group }
    person = JoinPerson(
      client, in: wishes.place.group, wishes.privacy, keys, sessions, messages, notifications,
      voice)
    script = ScriptedLines(of: wishes.name)
    wish = wishes.media.map { [person] in BroughtMedia(person.bring($0)) }
    voice.onDone = { [looksAgain] in looksAgain.yield() }
    keys.onTurnedAway = { [ends] in ends.yield(.sentAway) }
    messages.share = { [weak person] url in
      person?.perform(.activate(item: url, answer: .share, manner: .init()))
    }
    var platform = PlatformState(width: 720, height: 400)
    platform.supportedOrientations = [.landscape]
    client.inAppMessages.platform = platform
    client.inAppMessages.setDefaultView(messages)
    client.inAppMessages.actionHandler = messages
    client.notifications.delegate = notifications
    client.notifications.receiver = notifications
  }

  /// Whether the group let the person in.
  var wasLetIn: Bool { keys.wasLetIn }

  /// Watches with the group until the person leaves or is sent away.
  func run() async -> Ending {
    let tasks = followAll()
    // A server without notifications is not an error.
    Task { [client] in
      do { try await client.notifications.register() } catch {}
    }
    if let absence = wishes.media.flatMap(person.absence) { voice.say(absence) }
    keys.enterFirst()
    var ending = Ending.left
    for await first in endings {
      ending = first
      break
    }
    voice.isSilent = true
    for task in tasks { task.cancel() }
    await client.leave(within: Self.farewell)
    terminal.close()
    return ending
  }

  private func followAll() -> [Task<Void, Never>] {
    let notices = client.groupState.activityNotice
    return [
      each(of: client.connection.values) { $0.note($1) },
      each(of: client.groupState.eligibility.values) { $0.note($1) },
      each(of: client.groupState.group.values) { $0.note($1) },
      each(of: client.groupState.key.values) { $0.keys.note($1) },
      each(of: client.pairingRequest.values) { $0.keys.hear(pairingOf: $1) },
      each(of: notices.values) { console, notice in
        guard let notice else { return }
        console.voice.say("the group does “\(notice.title)” without you")
      },
      each(of: client.isClockPoor.values) { $0.note(isClockPoor: $1) },
      each(of: client.player.end.values) { $0.note($1) },
      each(of: client.sessions(of: AnyGroupActivity.self)) { console, session in
        console.sessions.follow(session) { [weak console] in console?.note($0) }
      },
      each(of: client.inAppMessages.events) { console, event in
        if let text = event.text { console.voice.say(text) }
      },
      each(of: client.notifications.delivered.values) { $0.notifications.stand($1) },
      each(of: client.notifications.events) { $0.notifications.hear($1) },
      each(of: terminal.events) { $0.take($1) },
      Task { [weak self, looks] in
        for await _ in looks { await self?.goOn() }
      },
    ]
  }

  private func each<Element>(
    of elements: some AsyncSequence<Element, Never> & Sendable,
    _ body: @escaping @MainActor (JoinConsole, Element) -> Void
  ) -> Task<Void, Never> {
    Task { [weak self] in
      for await element in elements {
        guard let self else { return }
        body(self, element)
      }
    }
  }

  // MARK: Client events

  private func note(_ state: ConnectionState) {
    let isStillLost = wasLost && state.isLost
    wasLost = state.isLost
    if !isStillLost, let text = state.text(hasToken: wishes.hasToken) { voice.say(text) }
    switch state {
    case .online:
      if !hasConnected { rememberServer() }
      hasConnected = true
      looksAgain.yield()
    case .connecting(let why?) where isInputOver: ends.yield(.unreachable(why))
    case .offline(let error) where error.code != .closed: ends.yield(.sentAway)
    case .connecting, .reconnecting, .offline: break
    }
  }

  private func rememberServer() {
    do {
      try wishes.security.remember()
    } catch {
      voice.say("the server is not remembered: \(error)")
    }
  }

  private func note(_ eligibility: Eligibility) {
    if eligibility == .ineligible(.alone) {
      voice.say("waiting for somebody else to join the group")
    }
    guard let delay = wish?.delay(eligibility) else { return }
    Task {
      await terminal.wait(for: delay)
      // Otherwise the next change that makes the person eligible plans another try.
      guard wish?.isWaiting == true, client.groupState.eligibility.current == .eligible,
        !sessions.isOccupied || sessions.awaitsMedia
      else { return }
      startWish()
    }
  }

  private func startWish() {
    guard let wish else { return }
    self.wish?.begin()
    person.start(wish.media)
  }

  private func note(_ group: GroupSummary?) {
    keys.note(group)
    let names = Set(group?.peopleNames ?? [])
    defer { lastMembers = names }
    guard names != lastMembers, let group else { return }
    voice.say("in group \(group.id): \(names.sorted().joined(separator: ", "))")
  }

  private func note(isClockPoor isPoor: Bool) {
    guard isPoor != isClockPoor else { return }
    isClockPoor = isPoor
    voice.say(
      isPoor
        ? "the connection is slow: you may be over a quarter of a second from the others"
        : "the connection is fast enough again to be together")
  }

  private func note(_ end: LocalPlayer.End?) {
    switch end {
    case .closedByPerson?:
      voice.say("the player was closed")
      ends.yield(.left)
    case .failed(let why)?: ends.yield(.unplayable(why))
    case nil: break
    }
  }

  private func note(_ state: SessionState) {
    switch state {
    case .waiting:
      if !wishes.asks || sessions.session?.isLocallyInitiated == true { person.perform(.join) }
    case .joined:
      if sessions.awaitsMedia {
        startWish()
      } else if let regret = wish.flatMap({ person.regret(of: $0.media) }) {
        voice.say(regret)
      }
      wish = nil
      person.noteJoined()
    case .invalidated(.removed): ends.yield(.sentAway)
    case .staged, .invalidated: break
    }
  }

  // MARK: Input lines

  private func take(_ event: TerminalInput.Event) {
    switch event {
    case .line(let text):
      if !script.add(text) { voice.say("too many lines wait: “\(text)” is left out") }
    case .end(let problem):
      if let problem { voice.say("cannot read verbs any more: \(problem)") }
      isInputOver = !wishes.stays
    case .unreadable(let problem): voice.say("cannot read verbs: \(problem)")
    case .interrupted: ends.yield(.left)
    }
    looksAgain.yield()
  }

  private var now: HostTime { HostTime(microseconds: 0) + (ContinuousClock.now - began) }

  /// Processes the lines that are ready, and leaves once the input has ended and its last line is
  /// done.
  private func goOn() async {
    while !voice.isSilent {
      let seen = await observe()
      switch script.next(seen: seen, at: now) {
      case .obey(let line): await obey(line)
      case .met(let text): voice.say("as expected: \(text)")
      case .failed(let text, let instead):
        ends.yield(.disappointed("expected: \(text); but \(instead)"))
        return
      case .misread(let problem) where wishes.isTyped: voice.say(problem)
      case .misread(let problem):
        ends.yield(.disappointed(problem))
        return
      case nil:
        lookLater()
        if isInputOver, hasConnected, script.isEmpty, voice.isIdle { ends.yield(.left) }
        return
      }
    }
  }

  private func lookLater() {
    guard !isLookPending, let next = script.nextLook(at: now) else { return }
    isLookPending = true
    Task {
      await terminal.wait(for: next - now)
      isLookPending = false
      looksAgain.yield()
    }
  }

  private func observe() async -> Observation {
    var seen = Observation()
    seen.fill(client)
    seen.refusal = voice.refusal
    person.fill(&seen)
    sessions.fill(&seen)
    notifications.news.fill(&seen)
    seen.player = await client.player.reading().map {
      Observation.Player(position: $0.position, isRunning: $0.isRunning, commands: 0)
    }
    return seen
  }

  private func obey(_ text: String) async {
    let phrase = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // Keys go to what came on screen last.
    let isNotified = notifications.shownAt.map { $0 > messages.shownAt ?? $0 - .seconds(1) } == true
    if isNotified, notifications.obey(phrase, text) { return }
    if messages.obey(phrase) || notifications.obey(phrase, text) { return }
    if let verb = EventVerb(phrase) { return obey(verb) }
    if let verb = NotificationVerb(phrase) { return notifications.obey(verb) }
    if let verb = KeyVerb(phrase) { return keys.obey(verb) }
    switch phrase {
    case "", "who", "status":
      for line in await person.aloneLines() + sessions.stateLines() { voice.say(line) }
    case "quit", "exit": ends.yield(.left)
    case "queue":
      voice.attempt { for line in try self.sessions.queueAnswer() { self.voice.say(line) } }
    case "help": printNow(Self.help)
    case _ where phrase.hasPrefix("help "):
      let word = String(phrase.dropFirst("help ".count))
      voice.say(Self.usage(of: word) ?? "there is no verb `\(word)`; help lists the verbs")
    default:
      do throws(PhraseError) {
        person.perform(try Verb(text))
      } catch {
        voice.say(Self.correction(of: phrase, error))
      }
    }
  }

  private func obey(_ verb: EventVerb) {
    switch verb {
    case .log(let name, let properties): client.inAppMessages.logEvent(name, properties)
    case .set(let key, let value): client.inAppMessages.setAttribute(key, value)
    case .next: person.perform(.presentNext)
    }
  }
}
