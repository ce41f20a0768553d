/// Reads the requests of a connection, one after the other, as their bytes arrive.
///
/// Give it what arrives, then ask for the next request until there is none; answer each before you
/// ask again, because clients may send several ahead (RFC 9112, 9.3.2). Stop reading the
/// connection while an answer waits; what was read before is bounded here.
///
/// After a request to speak another protocol that is granted, ``takeRest()`` is what has arrived in
/// that protocol already.
package struct HTTPRequestReader: Sendable {
  private let limits: HTTPLimits
  private var waiting: [UInt8] = []
  /// Where the request under way begins.
  private var start = 0
  private var scanner: HeadScanner
  /// A head whose body is under way, and how many bytes it had.
  private var head: (HTTPRequestHead, bytes: Int)?
  private var mayHaveEmptyLine = true
  private var hasOverflowed = false
  private var fault: HTTPFault?

  package init(limits: HTTPLimits = HTTPLimits()) {
    self.limits = limits
    scanner = HeadScanner(limits)
  }

  /// Whether a request has begun that is not whole; its deadline runs.
  package var isAmidRequest: Bool { start < waiting.count && fault == nil }

  /// Takes what arrived.
  package mutating func receive(_ bytes: Span<UInt8>) {
    guard fault == nil, !hasOverflowed else { return }
    waiting.removeSubrange(..<start)
    start = 0
    let room = limits.waitingBytes - waiting.count
    hasOverflowed = bytes.count > room
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe waiting.append(contentsOf: bytes.prefix(room))
    }
  }

  /// The next request, once it is whole.
  ///
  /// - Throws: why there are no more; answer with its status, and close the connection. It is thrown
  ///   again each time.
  package mutating func next() throws(HTTPFault) -> HTTPRequest? {
    if let fault { throw fault }
    do throws(HTTPFault) {
      if let request = try read() { return request }
      if hasOverflowed { throw .tooMuchAhead(limit: limits.waitingBytes) }
      return nil
    } catch {
      fault = error
      waiting = []
      start = 0
      throw error
    }
  }

  /// What arrived behind the last request; it is no longer read here.
  ///
  /// - Throws: if that was more than may wait, because its end is lost.
  package mutating func takeRest() throws(HTTPFault) -> [UInt8] {
    if hasOverflowed { throw .tooMuchAhead(limit: limits.waitingBytes) }
    defer { (waiting, start) = ([], 0) }
    return Array(waiting[start...])
  }

  private mutating func read() throws(HTTPFault) -> HTTPRequest? {
    guard try skipEmptyLine() else { return nil }
    if head == nil, let count = try scanner.end(in: waiting[start...]) {
      head = (try HTTPRequestHead(waiting[start..<start + count], limits), count)
    }
    guard let (head, bytes) = head, waiting.count - start >= bytes + head.bodyBytes else {
      return nil
    }
    let body = start + bytes
    start = body + head.bodyBytes
    let request = head.request(body: waiting[body..<start])
    prepareForNext()
    return request
  }

  private mutating func prepareForNext() {
    scanner = HeadScanner(limits)
    head = nil
    mayHaveEmptyLine = true
    // A connection that waits for its client keeps nothing.
    if start == waiting.count { (waiting, start) = ([], 0) }
  }

  /// Skips the empty line that some clients send behind a body (RFC 9112, 2.2).
  ///
  /// - Returns: whether it is known what comes first.
  private mutating func skipEmptyLine() throws(HTTPFault) -> Bool {
    let line = waiting[start...].prefix(2)
    guard mayHaveEmptyLine, line.first == .carriageReturn else { return true }
    guard line.count == 2 else { return false }
    guard line.last == .lineFeed else { throw .malformed("a carriage return has no line feed") }
    start += 2
    mayHaveEmptyLine = false
    return true
  }
}
