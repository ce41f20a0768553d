import Testing

@testable import Wire

@Suite struct LineSplitterTests {
  /// What a splitter handed on, in order; nil for a line that was too long.
  private typealias Heard = [String?]

  private static func hear(
    _ chunks: [[UInt8]], maximum: Int, splitter: inout LineSplitter
  ) -> Heard {
    var heard: Heard = []
    for chunk in chunks {
      splitter.split(chunk.span) { line in
        heard.append(line.text)
      } onOverlongLine: {
        heard.append(nil)
      }
    }
    return heard
  }

  private static func hear(
    _ chunks: [String], maximum: Int = 100, endingWith ending: LineEnding = .lineFeed
  ) -> Heard {
    var splitter = LineSplitter(maximumLineBytes: maximum, endingWith: ending)
    return hear(chunks.map { Array($0.utf8) }, maximum: maximum, splitter: &splitter)
  }

  @Test func `each line feed ends a line`() {
    #expect(Self.hear(["a\nbc\n\nd"]) == ["a", "bc", ""])
  }

  /// Blocks of bytes are searched at once: an end may stand anywhere in one, behind any byte.
  @Test(arguments: [0x00, 0x09, 0x0B, 0x20, 0x8A, 0xFF] as [UInt8])
  func `a line ends wherever in a long chunk its line feed stands`(byte: UInt8) {
    for length in 0...99 {
      var chunk = [UInt8](repeating: byte, count: 100)
      chunk[length] = UInt8(ascii: "\n")
      var lines: [Int] = []
      var splitter = LineSplitter(maximumLineBytes: 200)
      splitter.split(chunk.span) { line in
        lines.append(line.count)
      } onOverlongLine: {
        lines.append(-1)
      }
      #expect(lines == [length])
      #expect(splitter.keptBytes == 99 - length)
    }
  }

  @Test func `a carriage return before the line feed is dropped, one elsewhere is kept`() {
    #expect(Self.hear(["a\r\n\r\nb\rc\r\r\n"]) == ["a", "", "b\rc\r"])
  }

  @Test func `where both end a line, a line feed alone ends none`() {
    #expect(
      Self.hear(["a\nb\r\n\r\nc\r\r\nd\r", "\n\n\r", "\n"], endingWith: .carriageReturnLineFeed)
        == ["a\nb", "", "c\r", "d", "\n"])
  }

  @Test func `an overlong line goes on over line feeds where both end one`() {
    #expect(
      Self.hear(
        ["abcd\ne\nf\r", "g\r", "\nok\r\n"], maximum: 4, endingWith: .carriageReturnLineFeed)
        == [nil, "ok"])
  }

  @Test func `a line may come in many chunks`() {
    #expect(Self.hear(["he", "", "ll", "o\nwor", "ld\r", "\n"]) == ["hello", "world"])
  }

  @Test func `a line of the greatest length is handed on`() {
    #expect(
      Self.hear(["abcd\n", "abcd\r\n", "abcd", "\r", "\n"], maximum: 4) == ["abcd", "abcd", "abcd"])
  }

  @Test func `an overlong line is told of once and thrown away to its end`() {
    #expect(Self.hear(["abcde", "fgh", "ij\nok\n"], maximum: 4) == [nil, "ok"])
    #expect(Self.hear(["abcde\nok\n"], maximum: 4) == [nil, "ok"])
  }

  @Test func `an overlong line is told of before its end comes`() {
    #expect(Self.hear(["abcde"], maximum: 4) == [nil])
    #expect(Self.hear(["abcd\r"], maximum: 4) == [])
    #expect(Self.hear(["abcd\r", "e"], maximum: 4) == [nil])
  }

  @Test(
    arguments: [
      (["a\nb"], "b"), (["a", "b"], "ab"), (["a\r"], "a"), (["abcd\r"], "abcd"), (["a\n\r"], ""),
      (["a\n"], nil), ([], nil), (["abcde"], nil), (["abcdef\nabcde", "f"], nil),
    ] as [([String], String?)])
  func `the end of the input ends its last line`(chunks: [String], last: String?) {
    var splitter = LineSplitter(maximumLineBytes: 4)
    _ = Self.hear(chunks.map { Array($0.utf8) }, maximum: 4, splitter: &splitter)
    var heard: [String] = []
    splitter.finish { heard.append($0.text) }
    #expect(heard == (last.map { [$0] } ?? []))
    #expect(splitter == LineSplitter(maximumLineBytes: 4))
  }

  @Test func `nothing is kept between lines`() {
    var splitter = LineSplitter(maximumLineBytes: 100)
    _ = Self.hear([Array("half".utf8)], maximum: 100, splitter: &splitter)
    #expect(splitter.keptBytes == 4)
    _ = Self.hear([Array(" and half\n".utf8)], maximum: 100, splitter: &splitter)
    #expect(splitter.keptBytes == 0)
    #expect(splitter == LineSplitter(maximumLineBytes: 100))
  }

  @Test func `a peer that never ends its line takes no more than the maximum`() {
    var splitter = LineSplitter(maximumLineBytes: 1_000)
    var most = 0
    for _ in 0..<10_000 {
      _ = Self.hear([[UInt8(ascii: "x")]], maximum: 1_000, splitter: &splitter)
      most = max(most, splitter.keptBytes)
    }
    #expect(most == 1_000)
    #expect(splitter.keptBytes == 0)
  }

  /// Every text of up to seven bytes of a small alphabet, every maximum, every way to cut in two,
  /// and byte by byte: all hear what a plain model of the rule says.
  @Test(arguments: [LineEnding.lineFeed, .carriageReturnLineFeed])
  func `the cuts between chunks never change what is handed on`(ending: LineEnding) {
    let alphabet: [UInt8] = Array("a\r\n".utf8)
    var texts: [[UInt8]] = [[]]
    var longest: [[UInt8]] = [[]]
    for _ in 0..<7 {
      longest = longest.flatMap { text in alphabet.map { text + [$0] } }
      texts += longest
    }
    for text in texts {
      for maximum in 0...3 {
        let expected = Self.model(text, maximum: maximum, ending)
        let cuts = (0...text.count).map { [Array(text[..<$0]), Array(text[$0...])] }
        for chunks in cuts + [text.map { [$0] }] {
          var splitter = LineSplitter(maximumLineBytes: maximum, endingWith: ending)
          let heard = Self.hear(chunks, maximum: maximum, splitter: &splitter)
          if heard != expected {
            Issue.record("\(chunks), maximum \(maximum): \(heard), not \(expected)")
          }
        }
      }
    }
  }

  private static func model(_ text: [UInt8], maximum: Int, _ ending: LineEnding) -> Heard {
    let pieces = ending == .lineFeed ? split(text, at: "\n") : split(text, at: "\r\n")
    var heard: Heard = pieces.dropLast().map { piece in
      let dropsReturn = ending == .lineFeed && piece.last == UInt8(ascii: "\r")
      let line = dropsReturn ? piece.dropLast() : piece[...]
      return line.count <= maximum ? String(decoding: line, as: UTF8.self) : nil
    }
    if let rest = pieces.last {
      let ending = rest.last == UInt8(ascii: "\r") ? 1 : 0
      if rest.count - ending > maximum { heard.append(nil) }
    }
    return heard
  }

  private static func split(_ text: [UInt8], at ending: String) -> [[UInt8]] {
    text.split(separator: Array(ending.utf8), omittingEmptySubsequences: false).map(Array.init)
  }
}

extension Span<UInt8> {
  fileprivate var text: String {
    var bytes: [UInt8] = []
    for index in indices { bytes.append(self[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
