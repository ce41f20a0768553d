import Coordination
import GroupSessions
import Vocabulary

/// An append-only event log in memory, with the compare-and-append of a journal that nodes share.
final class SharedJournal {
  private(set) var streams: [AggregateID: [RecordedEvent]] = [:]

  /// Keeps events behind the one numbered `after`, or hands out those that stand there already.
  func append(_ id: AggregateID, after seq: Int, _ records: [RecordedEvent]) -> AppendOutcome {
    let stream = streams[id, default: []]
    if seq == 0, stream.last?.isLast == true {
      streams[id] = records  // The name is used again: a new group, a new stream.
      return .kept
    }
    guard stream.count == seq else {
      return .preceded(by: Array(stream[min(seq, stream.count)...]))
    }
    streams[id] = stream + records
    return .kept
  }
}

extension RecordedEvent {
  fileprivate var isLast: Bool {
    switch event {
    case .group(.closed), .session(.ended): true
    default: false
    }
  }
}
