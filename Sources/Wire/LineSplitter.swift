/// Splits a stream of bytes into lines, which end according to ``LineEnding``.
///
/// A line that lies completely in a chunk is passed on in place; only an incomplete one is copied
/// until the rest arrives. No memory is held between lines, so an idle peer costs none. The result
/// does not depend on how the stream is divided into chunks.
package struct LineSplitter: Equatable, Sendable {
  /// The beginning of an incomplete line; it may be one byte longer than the maximum if that is a
  /// CR.
  ///
  /// While a line is discarded: a CR that an LF may follow.
  private var tail: [UInt8] = []
  /// Whether the rest of a line that is too long is being discarded.
  private var isDiscarding = false
  private let ending: LineEnding
  /// 32 bits, so that it shares a word with the small fields, because a server has a splitter per
  /// peer.
  private let maximum: UInt32

  /// Makes a splitter at the start of a line.
  ///
  /// - Parameters:
  ///   - maximumLineBytes: the maximum length of a line without its ending, which also limits the
  ///     memory of a peer that never ends its line.
  ///   - ending: how lines end.
  package init(maximumLineBytes: Int, endingWith ending: LineEnding = .lineFeed) {
    precondition(maximumLineBytes >= 0, "a line has no negative length")
    self.ending = ending
    maximum = UInt32(clamping: maximumLineBytes)
  }

  /// The maximum length of a line in bytes, without its ending.
  package var maximumLineBytes: Int { Int(maximum) }

  /// The size of the incomplete line in bytes.
  package var keptBytes: Int { tail.count }

  /// Adds a chunk, and passes the completed lines on in order.
  ///
  /// - Parameters:
  ///   - chunk: any number of bytes, from a part of a line to many lines.
  ///   - onLine: gets each line without its ending; a blank line has no bytes. The span is valid
  ///     only during the call.
  ///   - onOverlongLine: called once for each line that is too long, as soon as that is known; the
  ///     line is discarded, and the next one is read normally.
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

  /// Ends the input, and passes its last line on if that has no ending.
  ///
  /// It is for people's input: the last line of a peer whose connection broke may be cut short.
  ///
  /// - Parameter onLine: gets the line, as in ``split(_:onLine:onOverlongLine:)``; a line that is
  ///   too long was reported before.
  package mutating func finish(onLine: (Span<UInt8>) -> Void) {
    let line = isDiscarding ? [] : tail
    (tail, isDiscarding) = ([], false)
    if !line.isEmpty { deliver(line.span, onLine) {} }
  }

  /// The index of the line feed that ends the current line.
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
      // Moved out first, so that the memory is freed after the line was passed on.
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

/// How lines end.
package enum LineEnding: Equatable, Sendable {
  /// With a line feed; a carriage return before it is dropped (JSON Lines, jsonlines.org; also
  /// mpv).
  case lineFeed
  /// With CR and LF; an LF alone is white space within the line, as in Twisted's `LineReceiver`.
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

  /// The number of bytes that are checked at once.
  private static let block = 32

  /// Whether a block contains a line feed: the top bit of `(x - 1) & ~x` is set for zero only.
  ///
  /// The loop has no early exit, so that the compiler vectorizes it.
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
    // Only once: reserving the exact capacity at each of many small appends would be quadratic.
    if isEmpty { reserveCapacity(bytes.count) }
    for index in bytes.indices { append(bytes[index]) }
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
