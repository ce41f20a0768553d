import Testing

@testable import Vocabulary

@Suite struct MintedTextTests {
  @Test func `a number reads back from its digits, the lowest first`() {
    #expect(mintedText(1, digits: 3) == "100")
    #expect(mintedText(31 + 32 * 30, digits: 2) == "zy")
    for number in [0, 1, 31, 32, 0x0123_4567_89AB_CDEF, UInt64.max] {
      #expect(mintedNumber(Array(mintedText(number, digits: 13).utf8)) == number)
    }
  }

  @Test func `digits beyond those that are wanted are left out`() {
    #expect(mintedText(.max, digits: 8) == "zzzzzzzz")
    #expect(mintedText(7, digits: 0) == "")
  }

  @Test func `what is no number is none`() {
    #expect(mintedNumber(Array("0l".utf8)) == nil)
    #expect(mintedNumber(Array("0000000000000g".utf8)) == nil, "beyond 64 bits")
    #expect(mintedNumber([]) == 0)
  }
}
