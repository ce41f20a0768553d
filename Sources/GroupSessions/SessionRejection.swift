package import Playback

/// Why a session refused a command; the state is as before.
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
  case banned
  /// The participant whose place was to be taken is not this person's.
  case notYourParticipant
  case unknownParticipant
  case unknownEntry
  case queueFull(limit: Int)
  case notInvited
  /// The invitation has an answer that stands, or stands no more itself.
  case invitationOver(Invitation.State)
  /// The person was invited anew since, by the event of that number.
  case staleInvitation(seq: Int)
  case tooManyInvitations(limit: Int)
  /// There is nothing before or after the current entry.
  case noSuchNeighbour
  case playback(PlaybackRejection)
}
