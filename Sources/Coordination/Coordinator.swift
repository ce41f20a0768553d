package import GroupSessions
package import InAppMessaging
import UserNotifications
package import Vocabulary
package import Wire

/// The whole server as one value: inputs go in, outputs come out, and it touches nothing.
///
/// It has no clock, no socket, no disk and no randomness of its own: the shell hands it the time,
/// and fresh random numbers through ``refill(with:)``. The same coordinator runs in production, in
/// a simulation with virtual time, and in a test.
///
/// Three values make it, each with a state of its own: ``Front`` has the connections, ``Groups`` the
/// groups and sessions, ``People`` messages and notifications. What one has to tell another it says
/// in words, which the coordinator carries until there are none left.
///
/// Every change of a group or a session goes through the journal: a decision is appended, and
/// takes effect, is sent and is answered only once the shell reports it kept.
package struct Coordinator: Sendable {
  private(set) var front: Front
  var groups: Groups
  private(set) var people: People

  /// A server that nobody is connected to.
  ///
  /// - Parameters:
  ///   - limits: its bounds.
  ///   - server: its name and version.
  ///   - dismissalPolicy: what a dismissal does to new sessions whose initiator does not say.
  ///   - messaging: how messages behave.
  ///   - notifications: how notifications are kept and sent.
  package init(
    limits: Limits = Limits(), server: String = "matinee",
    dismissalPolicy: DismissalPolicy = .endsWithInitiator,
    messaging: MessagingPolicy = MessagingPolicy(),
    notifications: NotificationSettings = NotificationSettings()
  ) {
    front = Front(limits: limits, server: server, signer: notifications.signer)
    groups = Groups(
      limits: limits, dismissalPolicy: dismissalPolicy, notifications: notifications)
    people = People(limits: limits, messaging: messaging, notifications: notifications)
    wantedEntropy = front.turn.wantedEntropy + groups.turn.wantedEntropy + people.turn.wantedEntropy
  }

  // The shell asks for these two around each input. They are stored: computed, each was computed on
  // a copy of the whole coordinator, together a twelfth of a command's instructions.

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  package private(set) var nextDeadline: Instant?
  /// How many fresh random numbers the coordinator would like; hand them over before an input.
  package private(set) var wantedEntropy: Int

  /// Takes in fresh random numbers, for identifiers and secrets; use a generator fit for secrets.
  package mutating func refill(with numbers: some Sequence<UInt64>) {
    var numbers = Array(numbers)[...]
    func take(_ count: Int) -> ArraySlice<UInt64> {
      defer { numbers = numbers.dropFirst(count) }
      return numbers.prefix(count)
    }
    front.turn.refill(with: take(front.turn.wantedEntropy))
    groups.turn.refill(with: take(groups.turn.wantedEntropy))
    people.turn.refill(with: take(people.turn.wantedEntropy))
    wantedEntropy = front.turn.wantedEntropy + groups.turn.wantedEntropy + people.turn.wantedEntropy
  }

  /// Takes one input in and says what is to be done, in order.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - instant: when; must not be earlier than the one before.
  package mutating func handle(_ input: Input, at instant: Instant) -> [Output] {
    let now = max(front.turn.now, instant)
    front.turn.begin(at: now)
    groups.turn.begin(at: now)
    people.turn.begin(at: now)
    take(input)
    carryWords()
    nextDeadline = Instant.earlier(
      front.nextDeadline, Instant.earlier(groups.turn.nextDeadline, people.turn.nextDeadline))
    wantedEntropy = front.turn.wantedEntropy + groups.turn.wantedEntropy + people.turn.wantedEntropy
    return front.takeOutputs()
  }

  private mutating func take(_ input: Input) {
    switch input {
    case .recovered(let recovery): recover(recovery)
    case .connected(let peer): front.connect(peer)
    case .received(let peer, let message): front.receive(message, from: peer)
    case .malformed(let peer, let id, let error): front.refuseLine(from: peer, id, error)
    case .disconnected(let peer): front.disconnect(peer)
    case .appended(let append, let outcome): take(append, outcome)
    case .campaigns(let campaigns): people.take(campaigns)
    case .pushEnded(let attempt, let result): people.take(result, of: attempt)
    case .clockAdvanced:
      front.advanceClock()
      groups.advanceClock()
      people.advanceClock()
    case .stop(let isResumable): front.stop(isResumable: isResumable)
    }
  }

  /// Takes in what became of an append.
  private mutating func take(_ append: Append, _ outcome: AppendOutcome) {
    switch append.aggregate {
    case .group(let id): groups.appended(append, outcome, on: id, GroupLanes.self)
    case .session(let id): groups.appended(append, outcome, on: id, SessionLanes.self)
    case .device(let id): front.appended(append, outcome, on: id)
    case .user(let id): people.appended(append, outcome, on: id, UserLanes.self)
    case .tray(let id): people.appended(append, outcome, on: id, TrayLanes.self)
    }
  }

  /// Carries words between the values, those of each in the order in which it says them.
  private mutating func carryWords() {
    repeat {
      while let word = front.turn.takeWord() { carry(word) }
      while let word = groups.turn.takeWord() { carry(word) }
      while let word = people.turn.takeWord() { carry(word) }
    } while front.turn.hasWords || groups.turn.hasWords
  }

  private mutating func carry(_ word: consuming Word) {
    switch consume word {
    case .front(let word): front.hear(word)
    case .groups(let word): groups.hear(word)
    case .people(let word): people.hear(word)
    case .output(let output): front.take(output)
    }
  }

  /// Takes in what was kept, before the first peer comes.
  private mutating func recover(_ recovery: Recovery) {
    groups.restore(recovery, front.restore(recovery.devices))
    carryWords()
    people.restore(recovery)
    front.sayWhoIsExpected()
    carryWords()
    groups.resume()
    people.resume(recovery)
    carryWords()
    groups.retell()
  }
}

// What peers of this process go on with after a restart: they have no connection, and keep nothing.

extension Coordinator {
  /// With what a device goes on, that nobody is connected as; `nil` if there is none.
  package func resumption(of device: DeviceID) -> Resumption? {
    front.devices[device]?.resumption
  }

  /// The groups, by their names, whose live session a person began.
  package func groups(ofSessionsBegunBy user: UserID) -> [GroupID] {
    groups.groups(ofSessionsBegunBy: user)
  }
}
