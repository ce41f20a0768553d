/// Why coordinated playback refused a command; the state is unchanged.
package enum PlaybackRejection: Error, Equatable, Sendable {
  /// No participant has this identifier.
  case unknownParticipant
  /// The command names another item than the participant's current one.
  case staleItem
  /// The report answers an outdated timeline event; the latest one has this number.
  case staleReport(seq: Int)
  /// The participant is suspended, so its commands affect only its own player.
  case suspendedLocalOnly
  /// The participant has no open suspension with this number.
  case unknownSuspension
  /// The participant has reached the limit of open suspensions.
  case tooManySuspensions(limit: Int)
  /// The session has reached the limit of timelines, and each of them is current for someone.
  case tooManyTimelines(limit: Int)
}
