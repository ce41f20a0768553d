package import GroupSessions
package import InAppMessaging
package import Signatures
package import UserNotifications
package import Vocabulary
package import Wire

/// The whole server as one value: it takes inputs and returns outputs.
///
/// It has no clock, socket, disk or random numbers of its own: the shell passes the time with each
/// input, and fresh random numbers to ``refill(with:)``. The same coordinator runs in production,
/// in a simulation with virtual time, and in tests.
///
/// It consists of three values with private state: `Front` has the connections, `Groups` the
/// groups and sessions, `People` the messages and notifications. They communicate in words, which
/// the coordinator carries until none are left.
///
/// Every change of a group or a session goes through the journal: a decision is appended, and it is
/// applied, sent and answered only once the shell reports that it is stored.
package struct Coordinator: Sendable {
  private(set) var front: Front
  var groups: Groups
  private(set) var people: People

  /// A server without connections.
  ///
  /// - Parameters:
  ///   - limits: every numeric bound.
  ///   - server: the server's name and version.
  ///   - access: how people prove who they are.
  ///   - dismissalPolicy: the policy of new sessions whose initiator does not set one.
  ///   - messaging: how in-app messages behave.
  ///   - notifications: the server's settings for notifications.
  ///   - mediaSigner: makes the addresses of the server's media; `nil` if it serves none.
  package init(
    limits: Limits = Limits(), server: String = "matinee", access: Access = .open,
    dismissalPolicy: DismissalPolicy = .endsWithInitiator,
    messaging: MessagingPolicy = MessagingPolicy(),
    notifications: NotificationSettings = NotificationSettings(), mediaSigner: MediaSigner? = nil
  ) {
    front = Front(limits: limits, server: server, access: access, notifications: notifications)
    groups = Groups(
      limits: limits, access: access, dismissalPolicy: dismissalPolicy,
      notifications: notifications, mediaSigner: mediaSigner)
    people = People(
      limits: limits, mode: access.mode, messaging: messaging, notifications: notifications)
    wantedEntropy = front.turn.wantedEntropy + groups.turn.wantedEntropy + people.turn.wantedEntropy
  }

  /// Lets only the server's own peers start sessions in some groups, and nobody close these.
  package mutating func manageGroups(where isManaged: @escaping @Sendable (GroupID) -> Bool) {
    groups.manage(where: isManaged)
  }

  // The shell reads these two before and after each input. They are stored, because computing them
  // copied the whole coordinator, which took a twelfth of a command's instructions.

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for a time.
  package private(set) var nextDeadline: Instant?
  /// How many random numbers the coordinator wants; pass them to ``refill(with:)`` before the next
  /// input.
  package private(set) var wantedEntropy: Int

  /// Adds random numbers for identifiers and secrets; they must come from a cryptographically
  /// secure generator.
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

  /// Handles one input.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - instant: the time of the input, not earlier than that of the previous one.
  /// - Returns: what the shell has to do, in order.
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
    case .connected(let peer, let address, let link):
      front.connect(peer, from: address, over: link)
    case .secured(let peer): front.secure(peer)
    case .received(let peer, let message): front.receive(message, from: peer)
    case .wallTime(let time): front.set(time)
    case .access(let access): front.set(access)
    case .malformed(let peer, let id, let error): front.refuseLine(from: peer, id, error)
    case .disconnected(let peer): front.disconnect(peer)
    case .abandoned(let device): front.abandon(device)
    case .appended(let append, let outcome): take(append, outcome)
    case .journalFilled(let isFull): front.setJournal(isFull: isFull)
    case .obstacle(let obstacle): front.set(obstacle: obstacle)
    case .campaigns(let campaigns): people.take(campaigns)
    case .servers(let servers): front.set(servers)
    case .sendBack(let peer): front.close(peer, ProtocolError(.shuttingDown))
    case .mediaDoor(let door): groups.media.door = door
    case .pushEnded(let attempt, let result): people.take(result, of: attempt)
    case .clockAdvanced:
      front.advanceClock()
      groups.advanceClock()
      people.advanceClock()
    case .stop(let isResumable): front.stop(isResumable: isResumable)
    }
  }

  /// Passes the outcome of an append to the value that asked for it.
  private mutating func take(_ append: Append, _ outcome: AppendOutcome) {
    switch append.aggregate {
    case .group(let id): groups.appended(append, outcome, on: id, GroupLanes.self)
    case .session(let id): groups.appended(append, outcome, on: id, SessionLanes.self)
    case .attachment(let id): groups.appended(append, outcome, on: id, AttachmentLanes.self)
    case .device: front.appended(append, outcome)
    case .user(let id): people.appended(append, outcome, on: id, UserLanes.self)
    case .tray(let id): people.appended(append, outcome, on: id, TrayLanes.self)
    case .name(let id): people.appended(append, outcome, on: id, NameLanes.self)
    }
  }

  /// Carries words between the three values, each value's words in the order in which it said them.
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

  /// Restores the state from a journal, before the first connection.
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

// For peers inside this process, which have no connection and store nothing, after a restart.

extension Coordinator {
  /// What a disconnected device resumes with; `nil` if the device is unknown or connected.
  package func resumption(of device: DeviceID) -> Resumption? {
    front.devices[device]?.resumption
  }

  /// The key that opens a group now; `nil` if it has none, or is not there.
  package func key(of group: GroupID) -> Secret? {
    groups.rooms.groups[group]?.group.flatMap { groups.access.key(of: $0) }
  }

  /// The path of the media that an address is for; empty for the list of all.
  ///
  /// - Returns: `nil` if the server did not make the address, or its time is over.
  package func mediaPath(of address: String, at now: Instant) -> String? {
    groups.media.path(of: address, at: now) { groups.rooms.isOpen($0, to: $1) }
  }

  /// How many groups there are.
  package var groupCount: Int { groups.rooms.groups.count }
  /// How many sessions live.
  package var sessionCount: Int { groups.rooms.sessions.count }
  package var spectatorCount: Int { groups.onlookers.spectatorCount }
  /// How far players reported to be from their groups' positions.
  package var apart: Histogram { groups.apart }

  /// The groups whose live session this person began.
  package func groups(ofSessionsBegunBy user: UserID) -> [GroupID] {
    groups.rooms.groups(ofSessionsBegunBy: user)
  }
}

/// The server's settings for notifications.
package struct NotificationSettings: Sendable {
  /// The rules and limits of trays.
  package var policy = TrayPolicy()
  /// Signs the tokens that answer invitations without a hello; `nil` if invitations have no tokens.
  package var signer: InvitationSigner?
  /// The key that allows pushing to anybody; `nil` if nobody may.
  package var administratorKey: AdministratorKey?
  /// The app's identifier in payloads, in `a` and `sa`.
  package var appID = "matinee"
  /// What is wrong with the address of a push endpoint; `nil` if it is valid.
  ///
  /// Addresses come from clients; the transport that connects to them checks them.
  package var endpointFlaw: @Sendable (PushEndpoint) -> String? = { _ in nil }

  /// Default settings, without tokens and an administrator.
  package init() {}
}
