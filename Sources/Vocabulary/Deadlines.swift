public import HeapModule

/// The deadlines of many subjects: a heap in which outdated entries stay until their time, or until
/// there are too many of them.
///
/// A subject that is woken checks whether its time has come and arms itself again, so waking it too
/// early is harmless. It is inlinable because each command arms a subject, and from another room it
/// would not be specialized otherwise.
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
  /// The earliest deadline of each subject; other entries of the heap are outdated.
  @usableFromInline var armed: [Subject: Instant] = [:]

  /// No deadlines.
  @inlinable public init() {}

  /// The next deadline, which may be outdated; `nil` if there is none.
  @inlinable public var earliest: Instant? { heap.min?.at }

  /// Arms a subject.
  ///
  /// A deadline later than its current one is ignored, because the subject arms itself again when
  /// it is woken.
  @inlinable public mutating func arm(_ subject: Subject, at deadline: Instant?) {
    guard let deadline else { return }
    if let earlier = armed[subject], earlier <= deadline { return }
    armed[subject] = deadline
    heap.insert(Entry(at: deadline, subject: subject))
    if heap.count > 2 * armed.count + Self.spare { dropOutdated() }
  }

  /// Outdated entries that a small heap may keep, so that it is not rebuilt at every change.
  @inlinable static var spare: Int { 64 }

  /// Rebuilds the heap without its outdated entries.
  ///
  /// More than half of the entries are outdated then, so the cost per change is constant. The rest
  /// keeps the heap's order: a dictionary's differs from run to run, and so would the order of
  /// subjects that are due at the same time.
  @inlinable mutating func dropOutdated() {
    var missing = armed
    var current: [Entry] = []
    current.reserveCapacity(armed.count)
    for entry in heap.unordered where missing[entry.subject] == entry.at {
      missing[entry.subject] = nil
      current.append(entry)
    }
    heap = Heap(current)
  }

  /// Disarms a subject.
  @inlinable public mutating func forget(_ subject: Subject) {
    armed[subject] = nil
  }

  /// Takes out a subject whose time has come; it must arm itself again.
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

  /// Whether the same subjects are due at the same times; outdated entries do not count.
  @inlinable public static func == (left: Deadlines, right: Deadlines) -> Bool {
    left.armed == right.armed
  }
}
