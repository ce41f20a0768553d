/// Large values that lie in pages, and an index of where each of them does.
public struct IndexedPages<Index: PlaceIndex & Sendable, Value: Sendable>: Sendable
where Index.Key: Sendable {
  /// What values are found by.
  public typealias Key = Index.Key

  @usableFromInline var places = Index()
  /// The first is nobody's, and empty: what is seen under a key that is not here.
  @usableFromInline var values: Pages<Value?>
  /// Places that were given back.
  @usableFromInline var free: [UInt32] = []
  /// What was changed last: a command looks at one session and one device some thirty times, and
  /// hashing their names each time was a tenth of its instructions.
  @usableFromInline var latest: (key: Key, place: UInt32)?

  /// The place of keys that are not here; its value is always absent.
  @inlinable public static var nowhere: UInt32 { 0 }

  /// An empty table.
  @inlinable public init() {
    values = Pages()
    values.append(nil)
  }

  /// How many keys there are.
  @inlinable public var count: Int { places.count }
  /// Whether there is none.
  @inlinable public var isEmpty: Bool { places.isEmpty }

  /// Makes room for so many keys at once: their index is not rebuilt as it grows.
  @inlinable public mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

  /// The value of a key, looked at and changed where it lies; assigning `nil` takes the key out.
  @inlinable public subscript(key: Key) -> Value? {
    // A single `yield`, of what lies in its page: a choice of two would copy the large value. And
    // straight out of the page: through the row's subscript, each look took a frame from the heap.
    _read {
      let (number, place) = Pages<Value?>.position(of: place(of: key))
      let page = values.pages[number]
      let elements = page.span
      yield elements[place]
    }
    _modify {
      let place = place(of: key)
      defer { settle(key, at: place) }
      yield &values[place]
    }
  }

  /// The value at a place, for whoever keeps the place and spares the hashing.
  @inlinable public subscript(at place: UInt32) -> Value? {
    _read {
      let (number, place) = Pages<Value?>.position(of: place)
      let page = values.pages[number]
      let elements = page.span
      yield elements[place]
    }
  }

  /// Where a key's value lies as long as the key is here, or ``nowhere``.
  @inlinable public func place(of key: Key) -> UInt32 {
    if let latest, latest.key == key { return latest.place }
    return places[key] ?? Self.nowhere
  }

  /// Changes the value of a key where it lies; of a key that is not here, it is absent and stays so.
  ///
  /// The subscript does as much, but by a coroutine whose frame lies on the heap: for what happens
  /// thousands of times a second, that was half of it.
  @inlinable public mutating func change<Result>(
    _ key: Key, _ change: (inout Value?) -> Result
  ) -> Result {
    let place = place(of: key)
    guard place != Self.nowhere else {
      var nothing: Value?
      return change(&nothing)
    }
    latest = (key, place)
    return values.change(place, change)
  }

  /// Changes, or looks at, the value at a place where it lies; at ``nowhere`` it is absent and stays so.
  @inlinable public mutating func change<Result>(
    at place: UInt32, _ change: (inout Value?) -> Result
  ) -> Result {
    guard place != Self.nowhere else {
      var nothing: Value?
      return change(&nothing)
    }
    return values.change(place, change)
  }

  /// Has a key found without hashing until another one is changed: whoever is about to look at one
  /// several times says so.
  @inlinable public mutating func focus(on key: Key) {
    let place = place(of: key)
    if place != Self.nowhere { latest = (key, place) }
  }

  /// What becomes of the values, under the same keys.
  @inlinable public func compactMapValues<Other>(_ transform: (Value) -> Other?) -> [Key: Other] {
    var others: [Key: Other] = [:]
    for (key, place) in places { others[key] = values[place].flatMap(transform) }
    return others
  }

  /// After a change at a place: notes where the key is, was, or, if it is new, came to lie.
  @inlinable mutating func settle(_ key: Key, at place: UInt32) {
    switch (place == Self.nowhere, values[place] == nil) {
    case (false, false): latest = (key, place)
    case (false, true): remove(key, at: place)
    case (true, false):
      if let fresh = values.change(Self.nowhere, { $0.take() }) { insert(fresh, as: key) }
    case (true, true): break
    }
  }

  @inlinable mutating func insert(_ value: Value, as key: Key) {
    if let place = free.popLast() {
      values[place] = value
      places[key] = place
    } else {
      places[key] = UInt32(values.count)
      values.append(value)
    }
  }

  @inlinable mutating func remove(_ key: Key, at place: UInt32) {
    places[key] = nil
    latest = nil
    free.append(place)
  }
}

extension IndexedPages where Index: Collection {
  /// The keys, in no order.
  @inlinable public var keys: some Collection<Key> { places.lazy.map(\.key) }
}

extension IndexedPages: Sequence {
  /// Walks over keys and values, in no order.
  @inlinable public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    places.lazy.compactMap { key, place in values[place].map { (key: key, value: $0) } }
      .makeIterator()
  }
}
