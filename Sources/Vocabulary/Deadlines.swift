public import HeapModule

/// Who wants to be woken when: a heap in which outdated wishes stay until their time.
///
/// Whoever is woken looks whether its time has come, and arms itself again: to be woken too early is
/// harmless. Inlinable, since each command arms somebody, and from another room it would
/// not be specialized else.
public struct Deadlines<Subject: Hashable & Sendable>: Equatable, Sendable {
  @usableFromInline struct Entry: Comparable, Sendable {
    @usableFromInline let at: Instant
    @usableFromInline let subject: Subject

    @inlinable init(at: Instant, subject: Subject) {
      self.at = at
      self.subject = subject
    }

    @inlinable static func < (left: Entry, right: Entry) -> Bool { left.at < right.at }
  }

  @usableFromInline var heap = Heap<Entry>()
  /// The earliest wish of each subject; anything else in the heap is outdated.
  @usableFromInline var armed: [Subject: Instant] = [:]

  /// Nobody wants to be woken.
  @inlinable public init() {}

  /// When somebody is to be woken, perhaps for nothing; `nil` if nobody is.
  @inlinable public var earliest: Instant? { heap.min?.at }

  /// Notes that a subject wants to be woken then; a later wish than the one it has waits for that.
  @inlinable public mutating func arm(_ subject: Subject, at deadline: Instant?) {
    guard let deadline else { return }
    if let earlier = armed[subject], earlier <= deadline { return }
    armed[subject] = deadline
    heap.insert(Entry(at: deadline, subject: subject))
  }

  /// A subject wants to be woken no more.
  @inlinable public mutating func forget(_ subject: Subject) {
    armed[subject] = nil
  }

  /// A subject whose time has come; it has to arm itself again.
  @inlinable public mutating func popDue(at now: Instant) -> Subject? {
    while let entry = heap.min, entry.at <= now {
      heap.removeMin()
      if armed[entry.subject] == entry.at {
        armed[entry.subject] = nil
        return entry.subject
      }
    }
    return nil
  }

  /// Whether the same are woken at the same times, whatever else lies in the heaps.
  @inlinable public static func == (left: Deadlines, right: Deadlines) -> Bool {
    left.armed == right.armed
  }
}
