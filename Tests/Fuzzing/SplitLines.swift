import Wire

/// The splitter that every connection has, of both protocols.
///
/// An input is the longest line, how the stream is cut, and the stream.
final class SplitLines: FuzzTarget {
  static let name = "lines"
  static let claim = "however a stream is cut, it has the lines that its text has"

  static func seeds() -> [[UInt8]] {
    [
      "a\nbc\r\n\n", "\r\n\r\r\n\n\r", "long line that does not fit\r\nok\r\n", "abc\r", "",
    ].flatMap { text in [3, 8, 135].map { [$0, 0x5A] + Array(text.utf8) } }
  }

  private enum Piece: Equatable {
    case line([UInt8])
    case overlong
  }

  func check(_ input: [UInt8]) throws {
    guard input.count >= 2 else { return }
    let ending: LineEnding = input[0] & 0x80 == 0 ? .lineFeed : .carriageReturnLineFeed
    let (maximum, stream) = (Int(input[0] & 0x3F), input[2...])
    let expected = Self.pieces(of: stream, ending, maximum)
    try require(
      expected == split(stream, ending, maximum, cutBy: nil), else: "one chunk has other lines")
    try require(
      expected == split(stream, ending, maximum, cutBy: input[1]), else: "chunks have other lines")
  }

  /// Splits chunks of one to eight bytes, or a single chunk.
  private func split(
    _ stream: ArraySlice<UInt8>, _ ending: LineEnding, _ maximum: Int, cutBy cut: UInt8?
  ) throws(BrokenClaim) -> [Piece] {
    var splitter = LineSplitter(maximumLineBytes: maximum, endingWith: ending)
    var (pieces, rest, step): ([Piece], ArraySlice<UInt8>, UInt8) = ([], stream, cut ?? 0)
    while !rest.isEmpty {
      let chunk = Array(rest.prefix(cut == nil ? rest.count : Int(step % 8) + 1))
      rest = rest.dropFirst(chunk.count)
      step = step &* 5 &+ 3
      splitter.split(chunk.span) { line in
        pieces.append(.line(line.indices.map { line[$0] }))
      } onOverlongLine: {
        pieces.append(.overlong)
      }
      try require(splitter.keptBytes <= maximum + 1, else: "more than a line is kept")
    }
    return pieces
  }

  /// The lines by their definition; an incomplete line counts only once it is too long.
  private static func pieces(
    of stream: ArraySlice<UInt8>, _ ending: LineEnding, _ maximum: Int
  ) -> [Piece] {
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    var pieces: [Piece] = []
    var line: [UInt8] = []
    for byte in stream {
      guard byte == lineFeed, ending == .lineFeed || line.last == carriageReturn else {
        line.append(byte)
        continue
      }
      if line.last == carriageReturn { line.removeLast() }
      pieces.append(line.count <= maximum ? .line(line) : .overlong)
      line = []
    }
    let mayFit = line.count <= maximum + (line.last == carriageReturn ? 1 : 0)
    return mayFit ? pieces : pieces + [.overlong]
  }
}
