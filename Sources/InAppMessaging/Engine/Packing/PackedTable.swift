/// Values under keys, all in one array of bytes, because a server keeps them for up to 100,000
/// people.
///
/// A sorted array of keys and values takes two to three times as much, because each text of more
/// than 15 bytes is allocated separately, in 64 bytes or more: a person of the benchmark takes 1.6
/// KB with these tables, 2.3 KB with sorted arrays and 2.7 KB with dictionaries. An event takes the
/// same time with each. A search goes from key to key, which for some ten is as fast as a binary
/// search.
struct PackedTable: Equatable, Sendable {
  /// Entry by entry, in the order of the keys' bytes.
  ///
  /// Each is the key's length, the key, the value's length and the value. A key's first byte is its
  /// kind.
  private var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  var count: Int {
    let bytes = bytes.span
    var (place, count) = (0, 0)
    while place < bytes.count {
      _ = bytes.countedRange(at: &place)
      _ = bytes.countedRange(at: &place)
      count += 1
    }
    return count
  }

  func value(of key: String, _ kind: UInt8 = 0) -> ArraySlice<UInt8>? {
    place(of: key, kind).value.map { bytes[$0] }
  }

  /// Sets or removes a value; one of the same length is replaced in place.
  mutating func set(_ value: [UInt8]?, of key: String, _ kind: UInt8 = 0) {
    let place = place(of: key, kind)
    if let value, let known = place.value, known.count == value.count {
      for offset in 0..<value.count { bytes[known.lowerBound + offset] = value[offset] }
      return
    }
    var entry: [UInt8] = []
    if let value {
      entry.appendCounted([kind] + key.utf8)
      entry.appendCounted(value)
    }
    var changed: [UInt8] = []
    changed.reserveCapacity(bytes.count - place.entry.count + entry.count)
    changed += bytes[..<place.entry.lowerBound]
    changed += entry
    changed += bytes[place.entry.upperBound...]
    bytes = changed
  }

  /// The entry at a place, which moves behind it; `nil` at the end.
  func entry(at place: inout Int) -> (kind: UInt8, key: String, value: ArraySlice<UInt8>)? {
    guard place < bytes.count else { return nil }
    let key = bytes.span.countedRange(at: &place)
    let value = bytes.span.countedRange(at: &place)
    let text = String(decoding: bytes[key].dropFirst(), as: UTF8.self)
    return (bytes[key.lowerBound], text, bytes[value])
  }
}

// MARK: Finding

extension PackedTable {
  private struct Place {
    /// Empty, at the key's place in the order, if the key is absent.
    var entry: Range<Int>
    var value: Range<Int>?
  }

  private func place(of key: String, _ kind: UInt8) -> Place {
    let wanted = key.utf8Span.span
    let bytes = bytes.span
    var start = 0
    while start < bytes.count {
      var next = start
      let known = bytes.countedRange(at: &next)
      let value = bytes.countedRange(at: &next)
      let order =
        kind == bytes[known.lowerBound]
        ? Self.order(of: wanted, bytes.extracting(known.dropFirst()))
        : Int(kind) - Int(bytes[known.lowerBound])
      if order == 0 { return Place(entry: start..<next, value: value) }
      if order < 0 { break }
      start = next
    }
    return Place(entry: start..<start)
  }

  /// Below zero if the left one is first, above it if the right one is.
  private static func order(of left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
    for place in 0..<min(left.count, right.count) where left[place] != right[place] {
      return left[place] < right[place] ? -1 : 1
    }
    return left.count - right.count
  }
}

// MARK: Bytes behind their count

extension [UInt8] {
  /// Appends the count of the bytes, seven bits a byte with the lowest first, then the bytes.
  mutating func appendCounted(_ bytes: some Collection<UInt8>) {
    var count = bytes.count
    while count >= 0x80 {
      append(UInt8(count & 0x7F) | 0x80)
      count >>= 7
    }
    append(UInt8(count))
    self += bytes
  }

  /// Appends a number's eight bytes.
  mutating func appendNumber(_ number: UInt64) {
    for shift in 0..<8 { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
  }
}

extension ArraySlice<UInt8> {
  /// Removes a number of eight bytes from the front.
  mutating func takeNumber() -> UInt64 {
    let number = prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    self = dropFirst(8)
    return number
  }

  /// Removes a count and that many bytes from the front.
  mutating func takeCounted() -> ArraySlice<UInt8> {
    var place = 0
    let range = span.countedRange(at: &place)
    defer { self = dropFirst(place) }
    return self[(startIndex + range.lowerBound)..<(startIndex + range.upperBound)]
  }
}

extension Span<UInt8> {
  /// The range of the bytes whose count is at a place; the place moves behind them.
  fileprivate func countedRange(at place: inout Int) -> Range<Int> {
    var count = 0
    var shift = 0
    while self[place] >= 0x80 {
      count |= Int(self[place] & 0x7F) << shift
      shift += 7
      place += 1
    }
    count |= Int(self[place]) << shift
    let start = place + 1
    place = start + count
    return start..<place
  }
}
