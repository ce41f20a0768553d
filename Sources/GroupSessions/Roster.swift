internal import Vocabulary

/// A map from each element's own identifier to the element, as one array sorted by identifier.
///
/// A `SortedMap` would store every identifier twice, 32 bytes per idle peer in its group and
/// session together. A lookup is a binary search; an insertion moves the elements behind it.
package struct Roster<Element: Identifiable> where Element.ID: Comparable {
  private var elements: [Element] = []

  package init() {}

  package var keys: some RandomAccessCollection<Element.ID> { elements.lazy.map(\.id) }

  /// The elements, ordered by identifier.
  package var values: some RandomAccessCollection<Element> { elements }

  package var count: Int { elements.count }

  package var isEmpty: Bool { elements.isEmpty }

  package subscript(id: Element.ID) -> Element? {
    let index = index(of: id)
    return contains(id, index) ? elements[index] : nil
  }

  /// The first element that matches, in order; elements are inspected in place, without copies.
  package func firstValue(where matches: (borrowing Element) -> Bool) -> Element? {
    let span = elements.span
    for index in span.indices where matches(span[index]) { return span[index] }
    return nil
  }

  /// Inserts an element, or replaces the one with the same identifier.
  package mutating func enter(_ element: Element) {
    let index = index(of: element.id)
    if contains(element.id, index) {
      elements[index] = element
    } else {
      elements.makeRoom()
      elements.insert(element, at: index)
    }
  }

  /// Changes an element in place, except for its identifier; does nothing if there is none.
  package mutating func change(_ id: Element.ID, _ change: (inout Element) -> Void) {
    let index = index(of: id)
    guard contains(id, index) else { return }
    change(&elements[index])
    precondition(elements[index].id == id, "an element's identifier was changed")
  }

  /// Removes and returns an element.
  @discardableResult
  package mutating func remove(_ id: Element.ID) -> Element? {
    let index = index(of: id)
    return contains(id, index) ? elements.remove(at: index) : nil
  }

  private func contains(_ id: Element.ID, _ index: Int) -> Bool {
    index < elements.count && elements[index].id == id
  }

  /// The index at which the element is, or would be inserted.
  private func index(of id: Element.ID) -> Int {
    let span = elements.span
    var (low, high) = (0, span.count)
    while low < high {
      let middle = (low + high) / 2
      if span[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Roster: Equatable where Element: Equatable {}
extension Roster: Sendable where Element: Sendable {}

/// Finds the participant on a device in a large session.
///
/// Small rosters are scanned and need no index. Joining looks a device up twice; with 450
/// participants the two scans took a seventh of a join's time.
struct DeviceIndex: Equatable, Sendable {
  /// The largest roster that is scanned instead: a short scan is fast, and small sessions save the
  /// index's memory.
  static let scanned = 32

  /// Empty unless the roster is larger than ``scanned``.
  private var participants: SortedMap<DeviceID, ParticipantID> = [:]

  init(of roster: Roster<Participant> = Roster()) {
    guard roster.count > Self.scanned else { return }
    for participant in roster.values { participants[participant.device] = participant.id }
  }

  func participant(on device: DeviceID, among roster: Roster<Participant>) -> Participant? {
    guard roster.count > Self.scanned else { return roster.firstValue { $0.device == device } }
    return participants[device].flatMap { roster[$0] }
  }

  /// Adds a participant that the roster already contains.
  mutating func enter(_ participant: Participant, among roster: Roster<Participant>) {
    if participants.isEmpty {
      self = DeviceIndex(of: roster)
    } else {
      participants[participant.device] = participant.id
    }
  }

  /// Removes a participant that the roster no longer contains.
  mutating func remove(_ participant: Participant, from roster: Roster<Participant>) {
    if roster.count > Self.scanned {
      participants.removeValue(forKey: participant.device)
    } else {
      self = DeviceIndex()
    }
  }
}
