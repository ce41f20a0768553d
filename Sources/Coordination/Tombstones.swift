import GroupSessions
import Vocabulary

/// Ended sessions and their reasons, so that a late verb gets the true one.
struct Tombstones: Equatable, Sendable {
  private var reasons: [SessionID: EndReason] = [:]
  private var order: [SessionID] = []
  private var oldest = 0

  subscript(id: SessionID) -> EndReason? { reasons[id] }

  mutating func add(_ id: SessionID, _ reason: EndReason, limit: Int) {
    guard reasons.updateValue(reason, forKey: id) == nil else { return }
    if order.count < limit {
      order.append(id)
    } else {
      reasons[order[oldest]] = nil
      order[oldest] = id
      oldest = (oldest + 1) % limit
    }
  }
}
