import Coordination

/// Where a live stream lies in the file, and how far it goes.
struct LiveStream: Equatable, Sendable {
  let id: Int64
  let aggregate: AggregateID
  /// The instant of its first event, in microseconds, as its row says.
  let began: Int64
  /// The number of its last event.
  var seq: Int
}
