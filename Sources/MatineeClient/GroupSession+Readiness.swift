import GroupSessions
import Wire

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
