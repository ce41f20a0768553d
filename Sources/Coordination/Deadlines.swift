import HeapModule
import Vocabulary

/// Who wants to be woken when: a heap in which outdated wishes stay until their time.
struct Deadlines: Equatable, Sendable {
  enum Subject: Hashable, Sendable {
    case group(GroupID)
    case session(SessionID)
    case user(UserID)
    case tray(UserID)
    /// A stop waits no longer for the journal.
    case stop
  }

  private struct Entry: Comparable, Sendable {
    let at: Instant
    let subject: Subject

    static func < (left: Entry, right: Entry) -> Bool { left.at < right.at }
  }

  private var heap = Heap<Entry>()
  /// The earliest wish of each subject; anything else in the heap is outdated.
  private var armed: [Subject: Instant] = [:]

  var earliest: Instant? { heap.min?.at }

  /// Notes that a subject wants to be woken then; a later wish than the one it has waits for that.
  mutating func arm(_ subject: Subject, at deadline: Instant?) {
    guard let deadline else { return }
    if let earlier = armed[subject], earlier <= deadline { return }
    armed[subject] = deadline
    heap.insert(Entry(at: deadline, subject: subject))
  }

  mutating func forget(_ subject: Subject) {
    armed[subject] = nil
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

  static func == (left: Deadlines, right: Deadlines) -> Bool { left.armed == right.armed }
}
