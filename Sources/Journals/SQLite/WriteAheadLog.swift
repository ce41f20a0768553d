/// SQLite's write-ahead log as bytes: a header, and frames with one page each
/// (sqlite.org/fileformat2.html, section 4).
///
/// Here the header counts as block 0, and the frames as blocks 1, 2, 3 …: each block has words that
/// are summed, and a sum that continues the one before it.
struct WriteAheadLog: Sendable {
  private(set) var bytes: [UInt8]
  let pageSize: Int
  private let isBigEndian: Bool

  /// The bytes of the header before its sum.
  private static let headerBytes = 24
  /// The offset of the first frame.
  private static let start = 32
  /// The bytes of a frame before its page.
  private static let frameHeaderBytes = 24

  /// Reads a log; `nil` if it has no frame of that size.
  ///
  /// - Parameter pageSize: the size of the database's pages, which the header may have wrong.
  init?(_ bytes: [UInt8], pageSize: Int) {
    guard bytes.count >= Self.start + Self.frameHeaderBytes + pageSize else { return nil }
    self.bytes = bytes
    self.pageSize = pageSize
    // The magic number is 0x377f0683; otherwise 0x377f0682, or damaged.
    isBigEndian = bytes[3] == 0x83
  }

  private var frameBytes: Int { Self.frameHeaderBytes + pageSize }

  /// The number of the last block that is complete.
  var lastBlock: Int { (bytes.count - Self.start) / frameBytes }

  /// Ends the log after a block.
  mutating func truncate(after block: Int) {
    bytes.removeLast(bytes.count - offset(of: block + 1))
  }

  /// The offset of a frame.
  private func offset(of block: Int) -> Int {
    block == 0 ? 0 : Self.start + (block - 1) * frameBytes
  }

  // MARK: Fields

  /// The page that a frame holds.
  func page(of block: Int) -> UInt32 { number(at: offset(of: block)) }

  /// The size of the database in pages, if the frame is the last of its transaction; else 0.
  func commit(of block: Int) -> UInt32 { number(at: offset(of: block) + 4) }

  /// What tells the frames of one log from those of earlier ones, which may lie behind them.
  func salt(of block: Int) -> UInt64 {
    let place = block == 0 ? 16 : offset(of: block) + 8
    return UInt64(number(at: place)) << 32 | UInt64(number(at: place + 4))
  }

  mutating func setSalt(_ salt: UInt64, of block: Int) {
    let place = block == 0 ? 16 : offset(of: block) + 8
    set(UInt32(truncatingIfNeeded: salt >> 32), at: place)
    set(UInt32(truncatingIfNeeded: salt), at: place + 4)
  }

  private func number(at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
  }

  private mutating func set(_ number: UInt32, at place: Int) {
    for offset in 0..<4 {
      bytes[place + offset] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * offset))
    }
  }

  // MARK: Sums

  /// The sum that a block was written with.
  func sum(of block: Int) -> LogSum {
    let place = block == 0 ? Self.headerBytes : offset(of: block) + 16
    return LogSum(number(at: place), number(at: place + 4))
  }

  mutating func setSum(_ sum: LogSum, of block: Int) {
    let place = block == 0 ? Self.headerBytes : offset(of: block) + 16
    set(sum.first, at: place)
    set(sum.second, at: place + 4)
  }

  /// The sum of a block's words, continued from the block before it.
  func sum(of block: Int, after previous: LogSum) -> LogSum {
    var sum = previous
    if block == 0 {
      add(0..<Self.headerBytes, to: &sum)
    } else {
      let start = offset(of: block)
      add(start..<start + 8, to: &sum)
      add(start + Self.frameHeaderBytes..<start + frameBytes, to: &sum)
    }
    return sum
  }

  private func add(_ range: Range<Int>, to sum: inout LogSum) {
    let bytes = bytes.span
    for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      sum.add(word(at: place, bytes), word(at: place + 4, bytes))
    }
  }

  private func word(at place: Int, _ bytes: borrowing Span<UInt8>) -> UInt32 {
    let word =
      UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
    return isBigEndian ? word.byteSwapped : word
  }

  /// The single words of a frame whose change would give the sum that it was written with.
  func corrections(of frame: Int, from sum: LogSum) -> [LogSum.Correction] {
    sum.corrections(to: self.sum(of: frame), of: (pageSize + 8) / 4)
  }

  /// Whether a word is not of a frame's page, but says which page it is.
  static func isOfHeader(_ correction: LogSum.Correction) -> Bool { correction.index < 2 }

  /// Changes a word of those that a frame's sum covers.
  mutating func correct(_ correction: LogSum.Correction, of frame: Int) {
    let gap = Self.isOfHeader(correction) ? 0 : Self.frameHeaderBytes - 8
    let place = offset(of: frame) + correction.index * 4 + gap
    let word = word(at: place, bytes.span) &+ correction.difference
    set(isBigEndian ? word : word.byteSwapped, at: place)
  }

  /// Writes the header anew.
  mutating func writeHeader(salt: UInt64) {
    set(0x377f_0682 + (isBigEndian ? 1 : 0), at: 0)
    // The version of the format.
    set(3_007_000, at: 4)
    set(UInt32(pageSize), at: 8)
    setSalt(salt, of: 0)
  }
}
