package import Coordination
package import Vocabulary

/// What a journal held when it was opened: all that a server goes on from.
package struct JournalContents: Equatable, Sendable {
  /// The streams that are not over: groups and sessions in the order in which they began, then
  /// devices.
  package var streams: [RecordedStream] = []
  /// How the sessions that ended last ended, the latest last.
  package var endings: [SessionEnding] = []
  /// The instant of the last event; `nil` of an empty journal.
  package var latest: Instant?
  /// What the group's time was last tied to.
  package var clock: ClockTie?
  /// What could not be read, and what was done about it: for people.
  package var notices: [String] = []

  /// An empty journal's.
  package init() {}
}

/// The group's time at a moment of a machine: two processes of one boot agree by it to the
/// microsecond, whatever the time of day did in between.
package struct ClockTie: Equatable, Sendable {
  /// Which boot of which machine; see `BootID`.
  package let boot: String
  package let host: HostTime
  package let instant: Instant

  /// A tie.
  package init(boot: String, host: HostTime, instant: Instant) {
    self.boot = boot
    self.host = host
    self.instant = instant
  }
}
