package import Vocabulary

/// The monotonic clock of one simulated machine: off by something, and a little fast or slow.
package struct HostClock: Equatable, Sendable {
  /// What it shows when the simulation begins.
  package let start: HostTime
  /// How fast it gains on true time, in parts per million; a crystal manages 50.
  package let skew: Double

  /// A clock.
  package init(start: HostTime, skew: Double = 0) {
    self.start = start
    self.skew = skew
  }

  /// What it shows at a moment of true time.
  package func time(at moment: Duration) -> HostTime {
    start + .microseconds(Int64((Double(moment.microseconds) * (1 + skew / 1_000_000)).rounded()))
  }

  /// The first moment of true time at which it shows that or later.
  package func moment(of time: HostTime) -> Duration {
    let gone = Double((time - start).microseconds) / (1 + skew / 1_000_000)
    var moment = Duration.microseconds(Int64(gone.rounded(.down)))
    // The two are rounded to microseconds on their own: look a tick further where that is short.
    while self.time(at: moment) < time { moment += .microseconds(1) }
    return moment
  }
}
