import Testing

@testable import Cryptography

@Suite struct DERTests {
  @Test(
    arguments: [
      ([0], [2, 1, 0]), ([], [2, 1, 0]), ([0, 0, 1], [2, 1, 1]), ([0x7F], [2, 1, 0x7F]),
      ([0x80], [2, 2, 0, 0x80]), ([0, 0xFF, 0], [2, 3, 0, 0xFF, 0]),
    ] as [([UInt8], [UInt8])])
  func `a number is positive and as short as can be`(bytes: [UInt8], expected: [UInt8]) {
    #expect(DER.integer(bytes) == expected)
  }

  @Test(
    arguments: [
      (0, [4, 0]), (127, [4, 127]), (128, [4, 0x81, 128]), (255, [4, 0x81, 255]),
      (256, [4, 0x82, 1, 0]), (4_097, [4, 0x82, 16, 1]),
    ] as [(Int, [UInt8])])
  func `a length has as many bytes as it needs`(count: Int, head: [UInt8]) {
    let node = DER.node(4, Array(repeating: 7, count: count))
    #expect(Array(node.prefix(head.count)) == head)
    #expect(node.count == head.count + count)
  }

  @Test func `two numbers come back filled up with zeros`() {
    let numbers: [([UInt8], [UInt8])] = [
      ([1], [2]), ([0xFF, 1], [0x80]), ([0], [0]), ([1, 2, 3, 4], [0xFF, 0xFF, 0xFF, 0xFF]),
    ]
    for (one, other) in numbers {
      let written = DER.sequence(DER.integer(one), DER.integer(other))
      let filled = [one, other].flatMap { Array(repeating: 0, count: 4 - $0.count) + $0 }
      #expect(DER.pair(written, size: 4) == filled)
      for count in 0..<written.count {
        #expect(DER.pair(Array(written.prefix(count)), size: 4) == nil)
      }
      #expect(DER.pair(written + [0], size: 4) == nil)
    }
    #expect(DER.pair(DER.sequence(DER.integer([1]), DER.integer([1, 2])), size: 1) == nil)
    #expect(DER.pair(DER.sequence(DER.integer([1])), size: 4) == nil)
    let three = DER.sequence(DER.integer([1]), DER.integer([1]), DER.integer([1]))
    #expect(DER.pair(three, size: 4) == nil)
    #expect(DER.pair([0x30, 6, 3, 1, 1, 2, 1, 1], size: 4) == nil)
  }
}
