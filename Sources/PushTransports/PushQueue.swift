import DequeModule

/// Decides which push is next: push services take turns, and each has a bounded share.
///
/// A slow or dead service delays only its own pushes. Pushes to one service start in order, but may
/// overtake each other afterwards.
struct PushQueue: Sendable {
  /// A push whose turn has come, and its service.
  typealias Turn = (message: PushMessage, service: String)

  private struct Lane {
    var waiting: Deque<PushMessage> = []
    var underWay = 0
    var isInTurns = false
  }

  private let bounds: PushBounds
  private var lanes: [String: Lane] = [:]
  /// The services with a waiting push and a free place in flight, in the order of their turns.
  private var turns: Deque<String> = []
  /// The number of waiting pushes.
  private(set) var waiting = 0
  /// The number of attempts in flight.
  private(set) var underWay = 0

  init(_ bounds: PushBounds) {
    self.bounds = bounds
  }

  /// Queues a push.
  ///
  /// - Returns: false if the queue is full.
  mutating func add(_ message: PushMessage, for service: String) -> Bool {
    var lane = lanes[service] ?? Lane()
    guard waiting < bounds.waiting, lane.waiting.count < bounds.waitingPerService else {
      return false
    }
    lane.waiting.append(message)
    waiting += 1
    keep(lane, for: service)
    return true
  }

  /// Takes the next push; ``ended(for:)`` must be called for each.
  mutating func next() -> Turn? {
    guard underWay < bounds.underWay, let service = turns.popFirst(), var lane = lanes[service],
      let message = lane.waiting.popFirst()
    else { return nil }
    lane.isInTurns = false
    lane.underWay += 1
    underWay += 1
    waiting -= 1
    keep(lane, for: service)
    return (message, service)
  }

  /// Records that an attempt ended.
  mutating func ended(for service: String) {
    guard var lane = lanes[service], lane.underWay > 0 else { return }
    lane.underWay -= 1
    underWay -= 1
    keep(lane, for: service)
  }

  /// Removes all waiting pushes.
  mutating func removeWaiting() {
    for service in turns { lanes[service]?.isInTurns = false }
    turns = []
    waiting = 0
    lanes = lanes.compactMapValues { lane in
      var lane = lane
      lane.waiting = []
      return lane.underWay > 0 ? lane : nil
    }
  }

  private mutating func keep(_ lane: Lane, for service: String) {
    var lane = lane
    if !lane.isInTurns, !lane.waiting.isEmpty, lane.underWay < bounds.underWayPerService {
      lane.isInTurns = true
      turns.append(service)
    }
    lanes[service] = lane.waiting.isEmpty && lane.underWay == 0 ? nil : lane
  }
}

/// How many pushes may wait and be in flight.
package struct PushBounds: Equatable, Sendable {
  /// Waiting pushes in total: about the invitations to the largest possible group, at about 5 KiB
  /// each.
  package var waiting = 4_096
  /// Waiting pushes per push service: a quarter, so that one service that is down leaves room.
  package var waitingPerService = 1_024
  /// Attempts in flight in total: descriptors that a server of ten thousand peers can spare.
  package var underWay = 64
  /// Attempts in flight per push service; it takes four unresponsive services to block the others.
  package var underWayPerService = 16

  package init() {}
}
