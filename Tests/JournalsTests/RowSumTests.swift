import Testing

@testable import Journals

@Suite struct RowSumTests {
  /// CRC-32C computed bit by bit, as defined.
  private func reference(_ bytes: [UInt8]) -> Int64 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0x82F6_3B78 : register >> 1 }
    }
    return Int64(~register)
  }

  private func bytes(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
  }

  @Test func `it is CRC-32C`() {
    // The published check value of this polynomial.
    #expect(reference(Array("123456789".utf8)) == 0xE306_9283)
    for length in 0...40 {
      let text = String("Es war einmal ein König, der hatte drei Töchter.".prefix(length))
      var sum = RowSum()
      sum.add(-5)
      sum.add(text)
      #expect(
        sum.value == reference(bytes(-5) + Array(text.utf8) + bytes(Int64(text.utf8.count))))
    }
  }

  @Test func `each column counts, and where one text ends and the next begins`() {
    let sums = [
      RowSum.stream(1, "group", "a", began: 2, ended: nil),
      RowSum.stream(2, "group", "a", began: 2, ended: nil),
      RowSum.stream(1, "grou", "pa", began: 2, ended: nil),
      RowSum.stream(1, "group", "b", began: 2, ended: nil),
      RowSum.stream(1, "group", "a", began: 3, ended: nil),
      RowSum.stream(1, "group", "a", began: 2, ended: 0),
      RowSum.record(1, 2, at: 3, format: 4, "{}"), RowSum.record(2, 1, at: 3, format: 4, "{}"),
      RowSum.record(1, 2, at: 4, format: 3, "{}"), RowSum.record(1, 2, at: 3, format: 4, "[]"),
    ]
    #expect(Set(sums).count == sums.count)
  }
}
