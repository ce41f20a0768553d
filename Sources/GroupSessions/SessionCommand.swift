package import Playback
package import Vocabulary

/// A command to a session, or something that happened to a participant.
package enum SessionCommand: Equatable, Sendable {
  /// Opens a staged session; any member of the group may do that.
  case activate(by: Initiator)
  /// The person who staged the session takes it back.
  case withdraw(by: UserID)
  indirect case join(Joiner)
  case leave(ParticipantID)
  /// A person dismissed the message that hosts the session; the dismissal policy decides what
  /// follows.
  ///
  /// It changes nothing if the person no longer takes part.
  case dismiss(ParticipantID)
  /// A device declines the offer of this session and gets no other.
  case decline(DeviceID)
  /// Invites people, for `lifetime` or the server's default.
  ///
  /// `by` is `nil` if the session itself invites, for example when it begins. It invites each
  /// person once, even if participants invite them too.
  case invite([UserID], lifetime: Duration? = nil, by: ParticipantID?)
  /// A person answers an invitation for all their devices; `seq` identifies the invitation, if
  /// known.
  ///
  /// If the person accepted earlier and is expected to join, a device joins by accepting again
  /// instead of by `join`. So only one of several devices that try at once joins.
  indirect case answerInvitation(InvitationReply, seq: Int? = nil)
  /// Takes back pending invitations.
  case revokeInvitations([UserID], by: ParticipantID)
  /// A person was removed from the group for good, so their pending invitation ends.
  case uninvite(UserID)
  case end(by: ParticipantID)
  indirect case setActivity(GroupActivity, ifRevision: Int?, by: ParticipantID)
  case remove(ParticipantID, isBanned: Bool, by: ParticipantID)
  case setRole(ParticipantID, Role, by: ParticipantID)
  /// Sets whether a participant is ready to watch: the sender itself without `of`.
  ///
  /// Setting it for others needs the permission to control playback.
  case setReadyToStart(Bool, of: ParticipantID? = nil, by: ParticipantID)
  case setControl(ControlPolicy, by: ParticipantID)
  case setWaitingPolicy(WaitingPolicy, by: ParticipantID)
  case setDismissalPolicy(DismissalPolicy, by: ParticipantID)
  /// Sends a reliable message; droppable messages do not pass through the session.
  case send(JSONText, to: Recipients, by: ParticipantID)
  /// Lists an attachment, of whose data every part is stored.
  indirect case addAttachment(SessionAttachment)
  case removeAttachment(AttachmentID, by: ParticipantID)
  case queue(QueueCommand, by: ParticipantID)
  case playback(PlaybackCommand, by: ParticipantID)
  /// A participant's connection was lost; the participant may resume.
  case lose(ParticipantID)
  /// A participant resumed on a new connection.
  case resume(ParticipantID)
  /// The server was away, so all participants lost their connections.
  case interrupt
  /// The initiator's device left the group before anybody joined.
  case initiatorGone
  /// Something outside ends the session: the group closed, another session replaced it, or the
  /// server stopped.
  case terminate(EndReason)
  /// Time passed: due at ``GroupSession/nextDeadline``, harmless at any other time.
  case clockAdvanced
}

/// The recipients of a message.
package enum Recipients: Equatable, Sendable {
  /// Everyone but the sender.
  case all
  /// Only these participants.
  case only([ParticipantID])

  package func contains(_ id: ParticipantID, from source: ParticipantID) -> Bool {
    switch self {
    case .all: id != source
    case .only(let ids): ids.contains(id)
    }
  }
}

/// Why a session refused a command; the state is unchanged.
package enum SessionRejection: Error, Equatable, Sendable {
  case ended(EndReason)
  /// The activity is staged; activate it first.
  case notActivated
  case notJoined
  /// The role lacks this permission.
  case forbidden(Permission)
  /// Someone else replaced the activity first.
  case conflict(currentRevision: Int)
  case full(limit: Int)
  /// The session would take too many bytes, most of which are in this part.
  case tooLarge(SessionSize.Part, limit: Int)
  case banned
  /// The participant to be replaced belongs to another person.
  case notYourParticipant
  case unknownParticipant
  case unknownEntry
  case queueFull(limit: Int)
  case unknownAttachment
  case attachmentsFull(limit: Int)
  case notInvited
  /// The invitation was answered differently, revoked, or expired.
  case invitationOver(Invitation.State)
  /// The person has a newer invitation, from the event with this number.
  case staleInvitation(seq: Int)
  case tooManyInvitations(limit: Int)
  /// There is no entry before or after the named one.
  case noSuchNeighbour
  case playback(PlaybackRejection)
}
