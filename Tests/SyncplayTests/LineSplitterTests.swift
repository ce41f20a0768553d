import Testing

@testable import Syncplay

@Suite struct LineSplitterTests {
  private func lines(_ chunks: [[UInt8]]) -> (lines: [String], isWhole: Bool) {
    var splitter = SyncplayLineSplitter()
    var lines: [String] = []
    var isWhole = true
    for chunk in chunks where isWhole {
      isWhole = splitter.split(chunk.span) { line in
        var bytes: [UInt8] = []
        for index in line.indices { bytes.append(line[index]) }
        lines.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return (lines, isWhole)
  }

  @Test func `a lone line feed ends no line, however the stream is cut`() {
    let text = Array("a\nb\r\n\r\nc\r\r\nd".utf8)
    for first in 0...text.count {
      for second in first...text.count {
        let chunks = [text[..<first], text[first..<second], text[second...]].map(Array.init)
        #expect(lines(chunks).lines == ["a\nb", "", "c\r"])
      }
    }
  }

  @Test(arguments: [1, 7, 4_096, 20_000])
  func `a line at the bound is one, a longer one is the end`(step: Int) {
    let longest = [UInt8](repeating: 65, count: SyncplayLimits.lineBytes)
    for (line, isWhole) in [(longest, true), (longest + [65], false)] {
      let bytes = line + Array("\r\n".utf8)
      let chunks = stride(from: 0, to: bytes.count, by: step).map {
        Array(bytes[$0..<min($0 + step, bytes.count)])
      }
      let split = lines(chunks)
      #expect(split.isWhole == isWhole)
      #expect(split.lines.count == (isWhole ? 1 : 0))
    }
  }

  @Test func `between lines nothing is kept`() {
    var splitter = SyncplayLineSplitter()
    _ = splitter.split(Array("ab\r\nc".utf8).span) { _ in }
    #expect(splitter.keptBytes == 1)
    _ = splitter.split(Array("\r\n".utf8).span) { _ in }
    #expect(splitter.keptBytes == 0)
  }
}
