package import Playback
package import Vocabulary

/// What someone wants of a session, or what happened to someone in it.
package enum SessionCommand: Equatable, Sendable {
  /// A staged activity becomes a session; any member of the group may do that.
  case activate(by: Initiator)
  /// Whoever staged it takes it back.
  case withdraw(by: UserID)
  indirect case join(Joiner)
  case leave(ParticipantID)
  /// A person dismissed the message that hosts the watching; what follows is the policy's to say.
  ///
  /// Of one who takes part no more it changes nothing.
  case dismiss(ParticipantID)
  /// A device does not want the offer; it gets no other for this session.
  case decline(DeviceID)
  /// Asks people to come, for that long; the server's usual time where nothing is said.
  ///
  /// `by` is `nil` where the session itself asks, as when it begins: each person once, whoever else
  /// asks them.
  case invite([UserID], lifetime: Duration? = nil, by: ParticipantID?)
  /// A person answers, for all their devices; `seq` is which of their invitations, if that is known.
  ///
  /// A device that comes while its person is awaited joins by saying so once more, not by `join`: of
  /// several that come at once, one does.
  indirect case answerInvitation(InvitationReply, seq: Int? = nil)
  /// Takes back what is not answered yet.
  case revokeInvitations([UserID], by: ParticipantID)
  case end(by: ParticipantID)
  indirect case setActivity(GroupActivity, ifRevision: Int?, by: ParticipantID)
  case remove(ParticipantID, isBanned: Bool, by: ParticipantID)
  case setRole(ParticipantID, Role, by: ParticipantID)
  /// Somebody is ready to watch, or is not: oneself where nobody is named. That of others goes with
  /// steering.
  case setReadyToStart(Bool, of: ParticipantID? = nil, by: ParticipantID)
  case setControl(ControlPolicy, by: ParticipantID)
  case setWaitingPolicy(WaitingPolicy, by: ParticipantID)
  case setDismissalPolicy(DismissalPolicy, by: ParticipantID)
  /// A reliable message; droppable ones never become part of a session.
  case send(JSONText, to: Recipients, by: ParticipantID)
  case queue(QueueCommand, by: ParticipantID)
  case playback(PlaybackCommand, by: ParticipantID)
  /// A participant's connection is gone; it may resume.
  case lose(ParticipantID)
  /// A participant is back on a new connection.
  case resume(ParticipantID)
  /// The server itself was away, and everyone with it.
  case interrupt
  /// The initiator's device left the group before anybody joined.
  case initiatorGone
  /// Something outside ends the session: the group closed, another session, the server's stop.
  case terminate(EndReason)
  /// Time passed; harmless at any moment, due at ``GroupSession/nextDeadline``.
  case clockAdvanced
}

/// To whom a message goes.
package enum Recipients: Equatable, Sendable {
  /// Everyone but the sender.
  case all
  /// These participants.
  case only([ParticipantID])

  /// Whether a participant gets a message from `source`.
  package func contains(_ id: ParticipantID, from source: ParticipantID) -> Bool {
    switch self {
    case .all: id != source
    case .only(let ids): ids.contains(id)
    }
  }
}
