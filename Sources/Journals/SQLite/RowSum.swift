import GRDB

/// The sum by which a row shows that it is as it was written: CRC-32C (RFC 3720, appendix B.4).
///
/// SQLite notices when a page has lost its order, not when a byte in a row has changed: an event
/// whose digit flipped would be believed. CRC-32C finds each damage of up to 32 bits in a row, and
/// all but one in four thousand million of the others; a row costs about a nanosecond a byte.
struct RowSum: Equatable {
  private var register = UInt32.max

  /// What is kept in the row's column `sum`.
  var value: Int64 { Int64(~register) }

  /// For each place in eight bytes and each byte there, what it comes to at the end of them.
  ///
  /// Eight bytes take one step (slicing by 8, Kounavis and Berry, 2005), which measured a third of
  /// the time of one by one.
  private static let table: [UInt32] = {
    var table: [UInt32] = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { rest, _ in
        rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1
      }
    }
    for place in 256..<2048 {
      let before = table[place - 256]
      let low = Int(UInt8(truncatingIfNeeded: before))
      table.append((before >> 8) ^ table[low])
    }
    return table
  }()

  mutating func add(_ number: Int64) {
    add(UInt64(bitPattern: number), Self.table.span)
  }

  mutating func add(_ text: String) {
    let table = Self.table.span
    let bytes = text.utf8.span
    var index = 0
    while index + 8 <= bytes.count {
      var word: UInt64 = 0
      for place in 0..<8 {
        let byte = UInt64(bytes[index + place])
        word |= byte << UInt64(8 * place)
      }
      add(word, table)
      index += 8
    }
    while index < bytes.count {
      add(bytes[index], table)
      index += 1
    }
    // Where a text ends is part of it.
    add(Int64(bytes.count))
  }

  /// Eight bytes, the lowest first.
  private mutating func add(_ word: UInt64, _ table: borrowing Span<UInt32>) {
    let word: UInt64 = word ^ UInt64(register)
    var sum: UInt32 = 0
    for place in 0..<8 {
      let byte = Int(UInt8(truncatingIfNeeded: word >> UInt64(8 * place)))
      sum ^= table[(7 - place) * 256 + byte]
    }
    register = sum
  }

  private mutating func add(_ byte: UInt8, _ table: borrowing Span<UInt32>) {
    register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)]
  }
}

extension RowSum {
  static func stream(_ id: Int64, _ kind: String, _ name: String, began: Int64, ended: Int64?)
    -> Int64
  {
    var sum = RowSum()
    sum.add(id)
    sum.add(kind)
    sum.add(name)
    sum.add(began)
    if let ended { sum.add(ended) }
    return sum.value
  }

  /// Of an event or a snapshot, each of which has its own table.
  static func record(_ stream: Int64, _ seq: Int64, at: Int64, format: Int64, _ body: String)
    -> Int64
  {
    var sum = RowSum()
    sum.add(stream)
    sum.add(seq)
    sum.add(at)
    sum.add(format)
    sum.add(body)
    return sum.value
  }

  static func answer(
    _ stream: Int64, _ number: Int64, _ request: Int64, format: Int64, _ body: String
  )
    -> Int64
  {
    record(stream, number, at: request, format: format, body)
  }

  static func clock(_ boot: String, host: Int64, instant: Int64) -> Int64 {
    var sum = RowSum()
    sum.add(boot)
    sum.add(host)
    sum.add(instant)
    return sum.value
  }
}
