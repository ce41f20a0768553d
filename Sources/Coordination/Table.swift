/// A dictionary of large values: the hash table holds only where each of them lies.
///
/// A dictionary keeps its values in its hash table, a quarter to five eighths of which stand
/// empty, and copies them all when it grows; here an empty place costs the bytes of a key.
struct Table<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var places: [Key: UInt32] = [:]
  /// The first is nobody's, and empty: what is seen under a key that is not here.
  private var values: Pages<Value?>
  /// Places that were given back.
  private var free: [UInt32] = []
  /// What was changed last: a command looks at one session and one device some thirty times, and
  /// hashing their names each time was a tenth of its instructions.
  private var latest: (key: Key, place: UInt32)?

  private static var nowhere: UInt32 { 0 }

  init() {
    values = Pages()
    values.append(nil)
  }

  var count: Int { places.count }
  var isEmpty: Bool { places.isEmpty }
  var keys: some Collection<Key> { places.keys }

  /// Makes room for so many keys at once: their table is not rebuilt as it grows.
  mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

  subscript(key: Key) -> Value? {
    // A single `yield`, of what lies in its page: a choice of two would copy the large value.
    _read { yield values[place(of: key)] }
    _modify {
      let place = place(of: key)
      if place != Self.nowhere {
        latest = (key, place)
        defer { if values[place] == nil { remove(key, at: place) } }
        yield &values[place]
      } else {
        var fresh: Value?
        defer { if let fresh { insert(fresh, as: key) } }
        yield &fresh
      }
    }
  }

  /// What becomes of the values, under the same keys.
  func compactMapValues<Other>(_ transform: (Value) -> Other?) -> [Key: Other] {
    places.compactMapValues { place in values[place].flatMap(transform) }
  }

  private func place(of key: Key) -> UInt32 {
    if let latest, latest.key == key { return latest.place }
    return places[key] ?? Self.nowhere
  }

  private mutating func insert(_ value: Value, as key: Key) {
    if let place = free.popLast() {
      values[place] = value
      places[key] = place
    } else {
      places[key] = UInt32(values.count)
      values.append(value)
    }
  }

  private mutating func remove(_ key: Key, at place: UInt32) {
    places[key] = nil
    latest = nil
    free.append(place)
  }
}

extension Table: Sequence {
  func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
    places.lazy.compactMap { key, place in values[place].map { (key: key, value: $0) } }
      .makeIterator()
  }
}
