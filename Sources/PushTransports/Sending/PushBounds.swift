/// How much is done, and kept waiting, at once.
package struct PushBounds: Equatable, Sendable {
  /// Pushes that wait, in all: an invitation to the largest group that there may be goes in nearly
  /// whole, at some 5 KiB each.
  package var waiting = 4_096
  /// Pushes that wait for one push service: a fourth, so that one that is down leaves room.
  package var waitingPerService = 1_024
  /// Attempts under way at once, in all: descriptors that a server of ten thousand peers can spare.
  package var underWay = 64
  /// Attempts under way at once for one push service: four that do not answer stop the others.
  package var underWayPerService = 16

  /// The usual bounds.
  package init() {}
}
