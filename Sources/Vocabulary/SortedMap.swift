/// A dictionary in the order of its keys, in one array.
///
/// Made for the people of a session, a few in thousands of sessions or thousands in one. A hash
/// table for five has room for eight, whereas this grows by an eighth; equal maps are equal arrays,
/// and iteration has the same order everywhere. Finding takes a binary search, inserting moves what
/// lies behind.
public struct SortedMap<Key: Comparable, Value> {
  @usableFromInline var elements: [Entry] = []

  /// A struct, not a tuple: to look at the key of a tuple copies its value, too.
  @usableFromInline struct Entry {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// An empty map.
  @inlinable public init() {}

  /// The keys, in order.
  @inlinable public var keys: some RandomAccessCollection<Key> { elements.lazy.map(\.key) }

  /// The values, in the order of their keys.
  @inlinable public var values: some RandomAccessCollection<Value> { elements.lazy.map(\.value) }

  /// The value of a key; assigning `nil` takes the key out.
  @inlinable public subscript(key: Key) -> Value? {
    get {
      let place = place(of: key)
      return isHere(key, place) ? elements.span[place].value : nil
    }
    _modify {
      let place = place(of: key)
      let isHere = isHere(key, place)
      var value = isHere ? elements[place].value : nil
      defer {
        switch (value, isHere) {
        case (let value?, true): elements[place].value = value
        case (let value?, false): insert(Entry(key: key, value: value), at: place)
        case (nil, true): elements.remove(at: place)
        case (nil, false): break
        }
      }
      yield &value
    }
  }

  /// The first value that matches, in the order of the keys.
  ///
  /// Looks at the values where they lie: a loop over ``values`` copies each, which for thousands
  /// of participants takes ten times as long.
  @inlinable public func firstValue(where matches: (borrowing Value) -> Bool) -> Value? {
    let span = elements.span
    for place in span.indices where matches(span[place].value) { return span[place].value }
    return nil
  }

  /// The least of what is drawn from the elements where they lie; `nil` if nothing is.
  @inlinable public func least<Drawn: Comparable>(
    _ drawn: (_ key: borrowing Key, _ value: borrowing Value) -> Drawn?
  ) -> Drawn? {
    let span = elements.span
    var least: Drawn?
    for place in span.indices {
      guard let next = drawn(span[place].key, span[place].value) else { continue }
      if let known = least, known <= next { continue }
      least = next
    }
    return least
  }

  /// Changes a value where it lies, and says whether it was there.
  ///
  /// Changing it through the subscript copies it, as there it is an optional.
  @inlinable public mutating func change(_ key: Key, _ change: (inout Value) -> Void) -> Bool {
    let place = place(of: key)
    guard isHere(key, place) else { return false }
    change(&elements[place].value)
    return true
  }

  /// Takes a key out, and returns its value if it was there.
  @discardableResult
  @inlinable public mutating func removeValue(forKey key: Key) -> Value? {
    let place = place(of: key)
    return isHere(key, place) ? elements.remove(at: place).value : nil
  }

  @inlinable mutating func insert(_ element: Entry, at place: Int) {
    elements.makeRoom()
    elements.insert(element, at: place)
  }

  @inlinable func isHere(_ key: Key, _ place: Int) -> Bool {
    let span = elements.span
    return place < span.count && span[place].key == key
  }

  /// Where a key is, or would be; looks at the keys where they lie, or their values were copied, too.
  @inlinable func place(of key: Key) -> Int {
    let span = elements.span
    var (low, high) = (0, span.count)
    while low < high {
      let middle = (low + high) / 2
      if span[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SortedMap: RandomAccessCollection {
  /// Where the smallest key is.
  @inlinable public var startIndex: Int { 0 }
  /// Behind the largest key.
  @inlinable public var endIndex: Int { elements.count }

  /// The key and value at a place.
  @inlinable public subscript(place: Int) -> (key: Key, value: Value) {
    (elements[place].key, elements[place].value)
  }
}

extension SortedMap: ExpressibleByDictionaryLiteral {
  /// A map of these; of equal keys the last one counts.
  @inlinable public init(dictionaryLiteral elements: (Key, Value)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension SortedMap: Equatable where Value: Equatable {
  /// Whether both have equal values for the same keys.
  @inlinable public static func == (left: SortedMap, right: SortedMap) -> Bool {
    left.elements == right.elements
  }
}

extension SortedMap.Entry: Equatable where Value: Equatable {}
extension SortedMap.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension SortedMap: Sendable where Key: Sendable, Value: Sendable {}
