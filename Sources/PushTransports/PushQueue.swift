import DequeModule

/// Which push goes next: push services take turns, and each has its share and no more.
///
/// A service that answers slowly, or never, keeps only its own pushes waiting. To the same service
/// they begin in the order they came, but may overtake one another on the way.
struct PushQueue: Sendable {
  private struct Lane {
    var waiting: Deque<PushMessage> = []
    var underWay = 0
    var isInTurns = false
  }

  private let bounds: PushBounds
  private var lanes: [String: Lane] = [:]
  /// Services with a push waiting and a place under way, in the order of their turns.
  private var turns: Deque<String> = []
  /// Pushes that wait.
  private(set) var waiting = 0
  /// Attempts that began and did not end.
  private(set) var underWay = 0

  init(_ bounds: PushBounds) {
    self.bounds = bounds
  }

  /// Lets a push wait for its turn.
  ///
  /// - Returns: false if there is no room for it.
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

  /// Takes the push whose turn it is out; ``ended(for:)`` is due for each.
  mutating func next() -> (message: PushMessage, service: String)? {
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

  /// An attempt ended.
  mutating func ended(for service: String) {
    guard var lane = lanes[service], lane.underWay > 0 else { return }
    lane.underWay -= 1
    underWay -= 1
    keep(lane, for: service)
  }

  /// Forgets what waits.
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
