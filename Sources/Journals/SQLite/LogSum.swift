/// The checksum of SQLite's write-ahead log, over pairs of 32-bit words.
///
/// It is continued from frame to frame (sqlite.org/fileformat2.html, section 4.2). Each word counts
/// with a factor that depends only on its place, so a sum that is wrong because of one word tells
/// which word that is, and what it was.
struct LogSum: Equatable, Sendable {
  private(set) var first: UInt32
  private(set) var second: UInt32

  init(_ first: UInt32 = 0, _ second: UInt32 = 0) {
    self.first = first
    self.second = second
  }

  mutating func add(_ word: UInt32, _ next: UInt32) {
    first &+= word &+ second
    second &+= next &+ first
  }

  /// A word, and what has to be added to it.
  struct Correction: Equatable, Sendable {
    let index: Int
    let difference: UInt32
  }

  /// The words of which a single change makes this sum another one.
  ///
  /// Usually there is one, or none if more than a word is wrong. There are some more, by chance, if
  /// only the highest byte of a word is wrong, because that leaves eight bits of each factor.
  ///
  /// - Parameters:
  ///   - wanted: what the sum was when it was written.
  ///   - count: how many words were added; even.
  func corrections(to wanted: LogSum, of count: Int) -> [Correction] {
    let missing = LogSum(wanted.first &- first, wanted.second &- second)
    var corrections: [Correction] = []
    // What a word 1 at each place adds to the sum, from the last place to the first.
    var (odd, even) = (LogSum(0, 1), LogSum(1, 1))
    for index in stride(from: count - 1, to: 0, by: -2) {
      for (index, factors) in [(index, odd), (index - 1, even)] {
        guard let difference = missing.quotient(by: factors) else { continue }
        corrections.append(Correction(index: index, difference: difference))
      }
      odd.add(0, 0)
      even.add(0, 0)
    }
    return corrections
  }

  /// The number by which both factors have to be multiplied to give this sum.
  private func quotient(by factors: LogSum) -> UInt32? {
    // The factors are neighbours of the Fibonacci sequence, of which no two are even.
    let number =
      factors.first & 1 == 1
      ? first &* Self.inverse(factors.first) : second &* Self.inverse(factors.second)
    guard number != 0, factors.first &* number == first, factors.second &* number == second else {
      return nil
    }
    return number
  }

  /// The inverse of an odd number modulo 2³², by Newton's iteration, which doubles the right bits.
  private static func inverse(_ number: UInt32) -> UInt32 {
    var inverse = number
    for _ in 0..<4 { inverse = inverse &* (2 &- number &* inverse) }
    return inverse
  }
}
