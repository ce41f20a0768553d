public import GroupSessions
public import Playback
public import Vocabulary
import Wire

// What hosts decide.

extension GroupSession {
  /// Sets who steers.
  public func setControlPolicy(_ policy: ControlPolicy) async throws(GroupWatchError) {
    try await client.ask(.setControl(id, policy))
  }

  /// Sets when the group waits for someone.
  public func setWaitingPolicy(_ policy: WaitingPolicy) async throws(GroupWatchError) {
    try await client.ask(.setWaitingPolicy(id, policy))
  }

  /// Sets what happens when somebody dismisses the message that hosts the watching.
  public func setDismissalPolicy(_ policy: DismissalPolicy) async throws(GroupWatchError) {
    try await client.ask(.setDismissalPolicy(id, policy))
  }

  /// Gives a participant a role; a session is never without a host.
  public func setRole(
    _ role: Role, of participant: Participant
  ) async throws(GroupWatchError) {
    try await client.ask(.setRole(id, participant.id, role))
  }

  /// Removes a participant; one that is banned cannot join this session again.
  public func remove(
    _ participant: Participant, isBanned: Bool = false
  ) async throws(GroupWatchError) {
    try await client.ask(.remove(id, participant.id, isBanned: isBanned))
  }
}

// Who is ready to watch.

extension GroupSession {
  /// Says that this person is ready to watch, or is not.
  ///
  /// The others see it as ``Participant/isReadyToStart``, whichever client they use. It starts
  /// nothing by itself. Said again, it changes nothing.
  ///
  /// - Throws: ``GroupWatchError/Code/notJoined`` if this device does not take part.
  public func setReadyToStart(_ isReady: Bool) async throws(GroupWatchError) {
    try await client.ask(.setReadyToStart(id, isReady))
  }

  /// Says for somebody else that they are ready to watch, or are not.
  ///
  /// Whoever may steer may do that: everyone, or hosts only (``ControlPolicy``).
  ///
  /// - Throws: ``GroupWatchError/Code/forbidden`` if this device may not steer, and
  ///   ``GroupWatchError/Code/unknownParticipant`` if the other takes part no more.
  public func setReadyToStart(
    _ isReady: Bool, for participant: Participant
  ) async throws(GroupWatchError) {
    try await client.ask(.setReadyToStart(id, isReady, of: participant.id))
  }
}

// Who is asked to come.

extension GroupSession {
  /// Who was asked to come since the session began, one invitation a person, and what became of it;
  /// empty until this device joined.
  public var invitations: Observed<[Invitation]> { core.invitations }

  /// Invites people; everyone else of the group was invited when the session began.
  ///
  /// Whoever is asked already, or said no, is not asked again.
  ///
  /// - Parameters:
  ///   - users: whom.
  ///   - lifetime: how long they may answer; `nil` is as long as the server has it.
  public func invite(
    _ users: [UserID], for lifetime: Duration? = nil
  ) async throws(GroupWatchError) {
    try await client.ask(.invite(id, users, lifetime: lifetime))
  }

  /// Takes invitations back that nobody answered yet: hosts any of them, others their own.
  public func revokeInvitations(of users: [UserID]) async throws(GroupWatchError) {
    try await client.ask(.revokeInvitations(id, users))
  }
}

extension GroupSession {
  /// Goes on here with what this person does on another device: from the phone to the television.
  ///
  /// This device joins with the other one's role; the other one is invalidated as handed off.
  ///
  /// - Parameter device: which of the person's devices; without it, the one that joined last.
  /// - Throws: ``GroupWatchError/Code/unknownParticipant`` if the person takes part with none.
  public func takeOver(from device: DeviceID? = nil) async throws(GroupWatchError) {
    let mine = try await ownParticipants().filter { device == nil || $0.device == device }
    guard let other = mine.last else {
      throw GroupWatchError(
        .unknownParticipant, "no other device of this person takes part", advice: "join instead")
    }
    try await client.join(core, handoffFrom: other.id)
  }

  /// With which other devices this person takes part, also before this one has joined.
  public func ownParticipants() async throws(GroupWatchError) -> [Participant] {
    let summary = try await client.status().sessions.first { $0.id == id }
    let me = client.identity
    return (summary?.participants ?? []).filter { $0.user == me.user && $0.device != me.device }
  }
}
