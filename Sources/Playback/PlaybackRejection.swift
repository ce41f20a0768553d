/// Why coordinated playback refused a command; the state is as before.
package enum PlaybackRejection: Error, Equatable, Sendable {
  /// Nobody of that name takes part.
  case unknownParticipant
  /// The command names another item than the participant has current.
  case staleItem
  /// The report answers a timeline event that the one of this number has replaced.
  case staleReport(seq: Int)
  /// The participant is suspended: its commands act on its own player only.
  case suspendedLocalOnly
  /// There is no open suspension of that number.
  case unknownSuspension
  /// The participant has as many suspensions open as it may.
  case tooManySuspensions(limit: Int)
  /// The session keeps as many timelines as it may, and someone watches each of them.
  case tooManyTimelines(limit: Int)
}
