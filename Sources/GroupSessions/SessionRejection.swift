package import Playback

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
  case banned
  /// The participant to be replaced belongs to another person.
  case notYourParticipant
  case unknownParticipant
  case unknownEntry
  case queueFull(limit: Int)
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
