import Testing
import Vocabulary

@testable import Journals

@Suite struct LogSumTests {
  private static func sum(_ words: [UInt32]) -> LogSum {
    var sum = LogSum(3, 4)
    for place in stride(from: 0, to: words.count, by: 2) { sum.add(words[place], words[place + 1]) }
    return sum
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `a word that changed is found, and what it was`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words = (0..<1_026).map { _ in UInt32(truncatingIfNeeded: random.next()) }
    let index = Int(random.next() % 1_026)
    var changed = words
    changed[index] ^= UInt32(truncatingIfNeeded: random.next()) | 1
    let corrections = Self.sum(changed).corrections(to: Self.sum(words), of: words.count)
    #expect(
      corrections == [.init(index: index, difference: words[index] &- changed[index])])
  }

  @Test func `among the corrections of a highest byte is the right one`() {
    let words = (0..<1_026).map { UInt32($0) &* 0x9E37_79B9 }
    var changed = words
    changed[700] ^= 0x4000_0000
    let corrections = Self.sum(changed).corrections(to: Self.sum(words), of: words.count)
    #expect(corrections.contains(.init(index: 700, difference: words[700] &- changed[700])))
  }

  @Test func `two words that changed are no one word's fault`() {
    let words = (0..<1_026).map { UInt32($0) &* 0x9E37_79B9 }
    var changed = words
    changed[3] ^= 5
    changed[800] ^= 9
    #expect(Self.sum(changed).corrections(to: Self.sum(words), of: words.count).isEmpty)
  }

  @Test func `nothing is to correct in what is right`() {
    #expect(Self.sum([1, 2]).corrections(to: Self.sum([1, 2]), of: 2).isEmpty)
  }
}
