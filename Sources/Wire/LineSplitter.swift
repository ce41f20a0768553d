/// Cuts a stream of bytes into lines, each ended as ``LineEnding`` says.
///
/// A line that lies wholly in the chunk is handed on in place; only an incomplete one is copied,
/// until the rest of it comes. Between lines nothing is kept, so an idle peer costs no memory. How
/// the stream is cut into chunks never changes what is handed on.
package struct LineSplitter: Equatable, Sendable {
  /// The beginning of a line whose end has not come yet; a single CR may stand after the maximum.
  ///
  /// Of a line that is thrown away, the CR that an LF may follow.
  private var tail: [UInt8] = []
  /// Whether the rest of a line that was too long is being thrown away.
  private var isDiscarding = false
  private let ending: LineEnding
  /// In half a word, which it shares with the small fields: a server has a splitter for each peer.
  private let maximum: UInt32

  /// A splitter at the start of a line.
  ///
  /// - Parameters:
  ///   - maximumLineBytes: how long a line may be, without its ending; it bounds the memory a peer
  ///     can take that never ends its line.
  ///   - ending: what ends a line.
  package init(maximumLineBytes: Int, endingWith ending: LineEnding = .lineFeed) {
    precondition(maximumLineBytes >= 0, "a line has no negative length")
    self.ending = ending
    maximum = UInt32(clamping: maximumLineBytes)
  }

  /// How long a line may be, in bytes, without its ending.
  package var maximumLineBytes: Int { Int(maximum) }

  /// How many bytes of an incomplete line are kept.
  package var keptBytes: Int { tail.count }

  /// Takes the stream's next bytes, and hands on what they complete, in order.
  ///
  /// - Parameters:
  ///   - chunk: any number of bytes, from the middle of a line to many lines.
  ///   - onLine: gets each line without its ending, and may be called with no bytes for a blank
  ///     line. The span is valid during the call only.
  ///   - onOverlongLine: called once for each line that is too long, as soon as that is known; the
  ///     line is thrown away, and splitting goes on with the next.
  package mutating func split(
    _ chunk: Span<UInt8>, onLine: (Span<UInt8>) -> Void, onOverlongLine: () -> Void
  ) {
    var start = 0
    while let end = lineEnd(in: chunk, from: start) {
      finishLine(with: chunk.extracting(start..<end), onLine, onOverlongLine)
      start = end + 1
    }
    if start < chunk.count {
      keep(chunk.extracting(start..<chunk.count), onOverlongLine)
    }
  }

  /// Where the line that goes on at `start` has its line feed.
  private func lineEnd(in chunk: Span<UInt8>, from start: Int) -> Int? {
    var next = chunk.firstLineFeed(from: start)
    while ending == .carriageReturnLineFeed, let end = next,
      (end > start ? chunk[end - 1] : tail.last) != .carriageReturn
    {
      next = chunk.firstLineFeed(from: end + 1)
    }
    return next
  }

  private mutating func finishLine(
    with rest: Span<UInt8>, _ onLine: (Span<UInt8>) -> Void, _ onOverlongLine: () -> Void
  ) {
    if isDiscarding {
      isDiscarding = false
      tail = []
    } else if tail.isEmpty {
      deliver(rest, onLine, onOverlongLine)
    } else {
      // Moved out first: the memory goes when the line has been handed on.
      var line = tail
      tail = []
      guard line.count + rest.count <= maximumLineBytes + 1 else { return onOverlongLine() }
      line.append(rest)
      deliver(line.span, onLine, onOverlongLine)
    }
  }

  private func deliver(
    _ line: Span<UInt8>, _ onLine: (Span<UInt8>) -> Void, _ onOverlongLine: () -> Void
  ) {
    let count = line.countWithoutCarriageReturn
    count <= maximumLineBytes ? onLine(line.extracting(..<count)) : onOverlongLine()
  }

  private mutating func keep(_ part: Span<UInt8>, _ onOverlongLine: () -> Void) {
    guard !isDiscarding else { return noteReturn(of: part) }
    let count = tail.count + part.count
    let mayStillFit =
      count <= maximumLineBytes
      || count == maximumLineBytes + 1 && part[part.count - 1] == .carriageReturn
    guard mayStillFit else {
      isDiscarding = true
      noteReturn(of: part)
      return onOverlongLine()
    }
    tail.append(part)
  }

  private mutating func noteReturn(of part: Span<UInt8>) {
    let mayEnd = ending == .carriageReturnLineFeed && part[part.count - 1] == .carriageReturn
    tail = mayEnd ? [.carriageReturn] : []
  }
}

/// What ends a line.
package enum LineEnding: Equatable, Sendable {
  /// A line feed; a carriage return before it is dropped (JSON Lines, jsonlines.org; the same for
  /// mpv).
  case lineFeed
  /// Both; a line feed alone is white space within a line (Syncplay, as Twisted cuts lines).
  case carriageReturnLineFeed
}

extension Span<UInt8> {
  fileprivate func firstLineFeed(from start: Int) -> Int? {
    var index = start
    while count - index >= Self.block, !extracting(index..<index + Self.block).hasLineFeed {
      index += Self.block
    }
    while index < count {
      if self[index] == .lineFeed { return index }
      index += 1
    }
    return nil
  }

  /// So many bytes are looked at together.
  private static let block = 32

  /// Whether there is a line feed in a block: the top bit of `(x - 1) & ~x` is set for zero alone.
  ///
  /// There is no way out of the loop, so that the compiler makes of it a few instructions, each on
  /// many bytes.
  private var hasLineFeed: Bool {
    var zeros: UInt8 = 0
    for index in 0..<Self.block {
      let difference = self[index] ^ .lineFeed
      zeros |= (difference &- 1) & ~difference
    }
    return zeros & 0x80 != 0
  }

  fileprivate var countWithoutCarriageReturn: Int {
    count > 0 && self[count - 1] == .carriageReturn ? count - 1 : count
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: Span<UInt8>) {
    // Exactly once only: exact growth at each of many small appends would be quadratic.
    if isEmpty { reserveCapacity(bytes.count) }
    for index in bytes.indices { append(bytes[index]) }
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
