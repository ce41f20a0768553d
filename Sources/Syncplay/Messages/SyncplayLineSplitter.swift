/// Cuts a stream of bytes into lines that end with CRLF; a lone LF ends none, unlike JSON Lines.
///
/// Between lines nothing is kept. How the stream is cut into chunks never changes what is handed
/// on.
package struct SyncplayLineSplitter: Equatable, Sendable {
  private var tail: [UInt8] = []
  private var isOverlong = false

  /// A splitter at the start of a line.
  package init() {}

  /// How many bytes of an incomplete line are kept.
  package var keptBytes: Int { tail.count }

  /// Takes the stream's next bytes, and hands on the lines they complete, in order.
  ///
  /// - Returns: false at a line longer than ``SyncplayLimits/lineBytes``: the connection is to be
  ///   closed without a word, as the reference does, and nothing more is handed on.
  package mutating func split(_ chunk: Span<UInt8>, onLine: (Span<UInt8>) -> Void) -> Bool {
    var start = 0
    var index = 0
    while index < chunk.count, !isOverlong {
      let before = index > start ? chunk[index - 1] : index == start ? tail.last : nil
      if chunk[index] == .lineFeed, before == .carriageReturn {
        finish(with: chunk.extracting(start...index), onLine)
        start = index + 1
      }
      index += 1
    }
    if start < chunk.count, !isOverlong {
      keep(chunk.extracting(start..<chunk.count))
    }
    return !isOverlong
  }

  private mutating func finish(with rest: Span<UInt8>, _ onLine: (Span<UInt8>) -> Void) {
    guard tail.count + rest.count <= SyncplayLimits.lineBytes + 2 else { return giveUp() }
    guard !tail.isEmpty else { return onLine(rest.extracting(..<(rest.count - 2))) }
    var line = tail
    tail = []
    for index in rest.indices { line.append(rest[index]) }
    line.removeLast(2)
    onLine(line.span)
  }

  private mutating func keep(_ part: Span<UInt8>) {
    // A line at the bound may lack its LF only.
    guard tail.count + part.count <= SyncplayLimits.lineBytes + 1 else { return giveUp() }
    if tail.isEmpty { tail.reserveCapacity(part.count) }
    for index in part.indices { tail.append(part[index]) }
  }

  private mutating func giveUp() {
    tail = []
    isOverlong = true
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
