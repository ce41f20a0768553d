import HeapModule
import Vocabulary

/// Who wants to be woken when: a heap in which outdated wishes stay until their time.
struct Wakes: Sendable {
  enum Subject: Hashable, Sendable {
    case peer(PeerID)
    case room(String)
  }

  private struct Entry: Comparable, Sendable {
    let at: Instant
    let subject: Subject

    static func < (left: Entry, right: Entry) -> Bool { left.at < right.at }
  }

  private var heap = Heap<Entry>()
  private var armed: [Subject: Instant] = [:]

  var earliest: Instant? { heap.min?.at }

  /// Notes that a subject wants to be woken then; `nil`: not at all.
  mutating func arm(_ subject: Subject, at deadline: Instant?) {
    guard let deadline else { return armed[subject] = nil }
    guard armed[subject] != deadline else { return }
    armed[subject] = deadline
    heap.insert(Entry(at: deadline, subject: subject))
  }

  /// A subject whose time has come; it has to arm itself again.
  mutating func popDue(at now: Instant) -> Subject? {
    while let entry = heap.min, entry.at <= now {
      heap.removeMin()
      if armed[entry.subject] == entry.at {
        armed[entry.subject] = nil
        return entry.subject
      }
    }
    return nil
  }
}
