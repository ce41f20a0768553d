internal import Vocabulary

/// People in the order of their identifiers, in one array: each is found by the identifier that it
/// has itself.
///
/// A `SortedMap` would keep every identifier twice. That was 32 bytes of what an idle peer costs,
/// in its group and its session together.
/// Finding takes a binary search, entering moves those who lie behind.
package struct Roster<Person: Identifiable> where Person.ID: Comparable {
  private var people: [Person] = []

  /// A roster of nobody.
  package init() {}

  /// The identifiers, in order.
  package var keys: some RandomAccessCollection<Person.ID> { people.lazy.map(\.id) }

  /// The people, in the order of their identifiers.
  package var values: some RandomAccessCollection<Person> { people }

  /// How many there are.
  package var count: Int { people.count }

  /// Whether there is nobody.
  package var isEmpty: Bool { people.isEmpty }

  /// The one with this identifier, if there is one.
  package subscript(id: Person.ID) -> Person? {
    let place = place(of: id)
    return isHere(id, place) ? people[place] : nil
  }

  /// The first who matches, in the order of the identifiers; looks at them where they lie.
  package func firstValue(where matches: (borrowing Person) -> Bool) -> Person? {
    let span = people.span
    for place in span.indices where matches(span[place]) { return span[place] }
    return nil
  }

  /// Enters someone, in place of whoever had the same identifier.
  package mutating func enter(_ person: Person) {
    let place = place(of: person.id)
    if isHere(person.id, place) {
      people[place] = person
    } else {
      people.makeRoom()
      people.insert(person, at: place)
    }
  }

  /// Changes someone who is here, but for the identifier; does nothing to one who is not.
  package mutating func change(_ id: Person.ID, _ change: (inout Person) -> Void) {
    let place = place(of: id)
    guard isHere(id, place) else { return }
    change(&people[place])
    precondition(people[place].id == id, "a person's identifier was changed")
  }

  /// Takes someone out, and returns who it was.
  @discardableResult
  package mutating func remove(_ id: Person.ID) -> Person? {
    let place = place(of: id)
    return isHere(id, place) ? people.remove(at: place) : nil
  }

  private func isHere(_ id: Person.ID, _ place: Int) -> Bool {
    place < people.count && people[place].id == id
  }

  /// Where someone is, or would be.
  private func place(of id: Person.ID) -> Int {
    let span = people.span
    var (low, high) = (0, span.count)
    while low < high {
      let middle = (low + high) / 2
      if span[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Roster: Equatable where Person: Equatable {}
extension Roster: Sendable where Person: Sendable {}
