/// Large values in pages, and an index of their places.
public struct IndexedPages<Index: PlaceIndex & Sendable, Value: Sendable>: Sendable
where Index.Key: Sendable {
  /// The index by which values are found.
  public typealias Key = Index.Key

  @usableFromInline var places = Index()
  /// The first is empty; it is read for keys that are absent.
  @usableFromInline var values: Pages<Value?>
  /// Free places.
  @usableFromInline var free: [UInt32] = []
  /// The key changed last, and its place.
  ///
  /// A command reads one session and one device some thirty times, and hashing their names each
  /// time was a tenth of its instructions.
  @usableFromInline var latest: (key: Key, place: UInt32)?

  /// The place of absent keys; it never has a value.
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

  /// Reserves room for so many keys, so that the index is not rebuilt as it grows.
  @inlinable public mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

  /// The value of a key, read and changed in place; assigning `nil` removes the key.
  @inlinable public subscript(key: Key) -> Value? {
    // A single `yield` from the page: a choice of two would copy the large value, and the row's
    // subscript would allocate a frame for each access.
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

  /// The value at a place; a caller that keeps the place saves the hashing.
  @inlinable public subscript(at place: UInt32) -> Value? {
    _read {
      let (number, place) = Pages<Value?>.position(of: place)
      let page = values.pages[number]
      let elements = page.span
      yield elements[place]
    }
  }

  /// The place of a key's value while the key is present, or ``nowhere``.
  @inlinable public func place(of key: Key) -> UInt32 {
    if let latest, latest.key == key { return latest.place }
    return places[key] ?? Self.nowhere
  }

  /// Changes the value of a key in place; an absent key stays absent.
  ///
  /// The subscript does the same with a coroutine whose frame is on the heap, which was half of the
  /// time of frequent changes.
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

  /// Changes or reads the value at a place; at ``nowhere`` it stays absent.
  @inlinable public mutating func change<Result>(
    at place: UInt32, _ change: (inout Value?) -> Result
  ) -> Result {
    guard place != Self.nowhere else {
      var nothing: Value?
      return change(&nothing)
    }
    return values.change(place, change)
  }

  /// Remembers the place of a key that is about to be read several times, until another one is
  /// changed.
  @inlinable public mutating func focus(on key: Key) {
    let place = place(of: key)
    if place != Self.nowhere { latest = (key, place) }
  }

  /// The transformed values, under the same keys.
  @inlinable public func compactMapValues<Other>(_ transform: (Value) -> Other?) -> [Key: Other] {
    var others: [Key: Other] = [:]
    for (key, place) in places { others[key] = values[place].flatMap(transform) }
    return others
  }

  /// Notes the place of a key after a change.
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
  /// Iterates over keys and values, in no order.
  @inlinable public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    places.lazy.compactMap { key, place in values[place].map { (key: key, value: $0) } }
      .makeIterator()
  }
}

/// Values in a row that grows by whole pages.
///
/// An array that grows copies everything and leaves up to half of its room empty: with thousands of
/// peers, a third of the server's memory. A page holds 64 values and never moves.
public struct Pages<Element: Sendable>: Sendable {
  @usableFromInline static var pageCount: Int { 64 }

  @usableFromInline var pages: [[Element]] = []
  @usableFromInline var filled = 0

  /// The page of a value, and its place in the page.
  @inlinable static func position(of place: UInt32) -> (page: Int, place: Int) {
    (Int(place) / pageCount, Int(place) % pageCount)
  }

  /// How many values there are.
  @inlinable public var count: Int { filled }

  /// An empty row.
  @inlinable public init() {}

  /// The value at a place, where it lies.
  @inlinable public subscript(place: UInt32) -> Element {
    // Read through a span, because an array's own subscript would copy the value.
    _read {
      let page = pages[Int(place) / Self.pageCount]
      let elements = page.span
      yield elements[Int(place) % Self.pageCount]
    }
    _modify { yield &pages[Int(place) / Self.pageCount][Int(place) % Self.pageCount] }
  }

  /// Changes the value at a place where it lies.
  @inlinable public mutating func change<Result>(
    _ place: UInt32, _ change: (inout Element) -> Result
  ) -> Result {
    change(&pages[Int(place) / Self.pageCount][Int(place) % Self.pageCount])
  }

  /// Puts a value behind all others.
  @inlinable public mutating func append(_ element: Element) {
    if count == pages.count * Self.pageCount {
      var page: [Element] = []
      page.reserveCapacity(Self.pageCount)
      pages.append(page)
    }
    pages[pages.count - 1].append(element)
    filled += 1
  }
}

/// A dictionary of large values: the hash table holds only their places.
///
/// A standard dictionary keeps its values in its hash table, which is a quarter to five eighths
/// empty, and copies them all when it grows. Here an empty entry costs the bytes of a key.
public typealias PagedTable<Key: Hashable & Sendable, Value: Sendable> = IndexedPages<
  [Key: UInt32], Value
>

/// Large values of peers, found by indexing.
public typealias PeerPages<Value: Sendable> = IndexedPages<PeerIndex, Value>

/// The places of keys.
public protocol PlaceIndex<Key>: Sequence where Element == (key: Key, value: UInt32) {
  /// What a value is found by.
  associatedtype Key: Hashable

  /// An empty index.
  init()

  /// How many keys there are.
  var count: Int { get }
  /// Whether there is none.
  var isEmpty: Bool { get }

  /// The place of a key; assigning `nil` takes the key out.
  subscript(key: Key) -> UInt32? { get set }

  /// Makes room for so many keys.
  mutating func reserveCapacity(_ count: Int)
}

extension Dictionary: PlaceIndex where Value == UInt32 {}

/// The places of peers: their slots are small numbers, so nothing is hashed.
///
/// Slots count all peers of the shell, also those that are absent here; each takes eight bytes.
public struct PeerIndex: PlaceIndex, Sendable {
  @usableFromInline struct Slot: Sendable {
    @usableFromInline var generation: UInt32
    /// ``nowhere`` if the slot's peer is absent.
    @usableFromInline var place: UInt32

    @inlinable init(generation: UInt32, place: UInt32) {
      self.generation = generation
      self.place = place
    }
  }

  @inlinable static var nowhere: UInt32 { .max }

  @usableFromInline var slots: [Slot] = []
  @usableFromInline var filled = 0

  /// An empty index.
  @inlinable public init() {}

  /// How many peers are here.
  @inlinable public var count: Int { filled }
  /// Whether there is none.
  @inlinable public var isEmpty: Bool { filled == 0 }

  /// The place of a peer.
  ///
  /// A slot has one peer at a time, and the one before was removed.
  @inlinable public subscript(id: PeerID) -> UInt32? {
    get {
      guard Int(id.slot) < slots.count else { return nil }
      let slot = slots[Int(id.slot)]
      return slot.generation == id.generation && slot.place != Self.nowhere ? slot.place : nil
    }
    set {
      let old = self[id]
      filled += (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
      if newValue == nil, old == nil { return }
      reserveCapacity(Int(id.slot) + 1)
      slots[Int(id.slot)] = Slot(generation: id.generation, place: newValue ?? Self.nowhere)
    }
  }

  /// Makes room for so many slots.
  @inlinable public mutating func reserveCapacity(_ count: Int) {
    while slots.count < count { slots.append(Slot(generation: 0, place: Self.nowhere)) }
  }

  /// Iterates over peers and their places, in the order of their slots.
  @inlinable public func makeIterator() -> some IteratorProtocol<(key: PeerID, value: UInt32)> {
    slots.enumerated().lazy.filter { $0.element.place != Self.nowhere }.map { number, slot in
      (key: PeerID(slot: UInt32(number), generation: slot.generation), value: slot.place)
    }.makeIterator()
  }
}
