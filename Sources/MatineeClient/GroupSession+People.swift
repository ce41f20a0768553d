public import GroupSessions
import Participation
public import Playback
public import Vocabulary
import Wire

// Roles, and what only some may do.

extension GroupSession {
  /// What this device may do now, by its role and the control policy; empty while it does not take
  /// part.
  ///
  /// ``localParticipant`` and ``policies`` say when it changes.
  public var permissions: Set<Permission> {
    guard state.current == .joined, let me = localParticipant else { return [] }
    let asker = Asker(role: me.role, isKeeper: me.isKeeper)
    return Set(Permission.allCases.filter { may($0, asker, under: policies.current.control) })
  }

  /// Sets who controls playback.
  public func setControlPolicy(_ policy: ControlPolicy) async throws(GroupWatchError) {
    try await ask(.setControl(id, policy))
  }

  /// Sets when the group waits for someone.
  public func setWaitingPolicy(_ policy: WaitingPolicy) async throws(GroupWatchError) {
    try await ask(.setWaitingPolicy(id, policy))
  }

  /// Sets what happens when somebody dismisses the message that hosts the session.
  public func setDismissalPolicy(_ policy: DismissalPolicy) async throws(GroupWatchError) {
    try await ask(.setDismissalPolicy(id, policy))
  }

  /// Gives a participant a role; a session always has a host.
  public func setRole(
    _ role: Role, of participant: Participant
  ) async throws(GroupWatchError) {
    try await ask(.setRole(id, participant.id, role))
  }

  /// Removes a participant; a ban removes the person's other devices, too, and none of them can
  /// join this session again.
  public func remove(
    _ participant: Participant, isBanned: Bool = false
  ) async throws(GroupWatchError) {
    try await ask(.remove(id, participant.id, isBanned: isBanned))
  }
}

// Readiness of people.

extension GroupSession {
  /// Says whether this person is ready to watch.
  ///
  /// The others see it as ``Participant/isReadyToStart``, in every client. It does not start
  /// playback. The call is idempotent.
  ///
  /// - Throws: ``GroupWatchError/Code/notJoined`` if this device does not take part.
  public func setReadyToStart(_ isReady: Bool) async throws(GroupWatchError) {
    try await ask(.setReadyToStart(id, isReady))
  }

  /// Says for another person whether they are ready to watch.
  ///
  /// It takes the right to control playback: everyone has it, or hosts only (``ControlPolicy``).
  ///
  /// - Throws: ``GroupWatchError/Code/forbidden`` if this device may not control playback, and
  ///   ``GroupWatchError/Code/unknownParticipant`` if the other has left.
  public func setReadyToStart(
    _ isReady: Bool, for participant: Participant
  ) async throws(GroupWatchError) {
    try await ask(.setReadyToStart(id, isReady, of: participant.id))
  }
}

/// "Start when all are ready", as everybody in a session sees it.
public struct StartCountdown: Hashable, Sendable {
  /// Who asked for it, by name.
  public let name: String
  /// When it starts, of ``GroupWatchClient/groupClock()``; `nil` while somebody is not ready.
  public let starts: Instant?

  init(_ shown: Client.StartCountdown, _ people: Set<Participant>) {
    name = people.first { $0.id == shown.by }?.name ?? shown.by.text
    starts = shown.starts
  }
}

extension GroupSession {
  /// The wish to start when all are ready, and its countdown; `nil` while nobody has it.
  public var startCountdown: Observed<StartCountdown?> { core.countdown }

  /// Starts playback three seconds after all connected people are ready, this one at once.
  ///
  /// Everybody sees it. Whoever becomes unready stops the countdown, and whoever steers ends the wish.
  public func startWhenAllAreReady() { client.countDown(true, of: core) }

  /// Takes the wish back, whoever asked for it.
  public func cancelStart() { client.countDown(false, of: core) }
}

// Invitations.

extension GroupSession {
  /// All invitations since the session began, one per person, with their outcome; empty until this
  /// device has joined.
  public var invitations: Observed<[Invitation]> { core.invitations }

  /// Invites people; the group's other members were invited when the session began.
  ///
  /// A person who has an open invitation or declined is not invited again.
  ///
  /// - Parameters:
  ///   - users: the people to invite.
  ///   - lifetime: how long they can answer; `nil` uses the server's setting.
  public func invite(
    _ users: [UserID], for lifetime: Duration? = nil
  ) async throws(GroupWatchError) {
    try await ask(.invite(id, users, lifetime: lifetime))
  }

  /// Revokes unanswered invitations: hosts can revoke any of them, others only their own.
  public func revokeInvitations(of users: [UserID]) async throws(GroupWatchError) {
    try await ask(.revokeInvitations(id, users))
  }
}

extension GroupSession {
  /// Moves this person's participation from another device to this one.
  ///
  /// This device joins with the role of the other device, which is invalidated as handed off.
  ///
  /// - Parameter device: which of the person's devices; `nil` is the one that joined last.
  /// - Throws: ``GroupWatchError/Code/unknownParticipant`` if the person has no other
  ///   device in the session.
  public func takeOver(from device: DeviceID? = nil) async throws(GroupWatchError) {
    let mine = try await ownParticipants().filter { device == nil || $0.device == device }
    guard let other = mine.last else {
      throw GroupWatchError(
        .unknownParticipant, "no other device of this person takes part", advice: "join instead")
    }
    try await client.join(core, handoffFrom: other.id)
  }

  /// The participants of this person's other devices; available before this device has joined, too.
  public func ownParticipants() async throws(GroupWatchError) -> [Participant] {
    let summary = try await client.status().sessions.first { $0.id == id }
    let (user, device) = (client.identity.user, client.device)
    return (summary?.participants ?? []).filter { $0.user == user && $0.device != device }
  }
}
