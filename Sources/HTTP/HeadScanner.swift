/// Looks for the end of a head while it arrives, and refuses at once what no head has.
///
/// It is stricter than llhttp about what two programs may read in two ways (RFC 9112, 2.2, 5.1, 5.2):
/// lines end with CR and LF and with nothing else, and no field goes on in the next line.
struct HeadScanner: Equatable, Sendable {
  private let limits: HTTPLimits
  /// Bytes looked at.
  private var count = 0
  /// Lines that are over.
  private var lines = 0
  /// Where the line under way begins.
  private var lineStart = 0
  private var previous: UInt8 = 0
  private var hasMethod = false

  /// Longer than any method; WebDAV's longest has 16 letters.
  private static let methodBytes = 24
  /// The request line without method and target: two spaces and the version.
  private static let versionBytes = 10

  init(_ limits: HTTPLimits) {
    self.limits = limits
  }

  /// Looks at the bytes that it has not seen.
  ///
  /// - Parameter bytes: all that has arrived, from the head's first byte.
  /// - Returns: how many bytes the head has, with the empty line; `nil` if it is not whole.
  mutating func end(in bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Int? {
    while count < bytes.count {
      let byte = bytes[bytes.startIndex + count]
      let isOver = byte == .lineFeed && previous == .carriageReturn && count - lineStart == 1
      try check(byte)
      count += 1
      previous = byte
      if isOver { return count }
      if byte == .lineFeed { try endLine() }
    }
    return nil
  }

  private mutating func endLine() throws(HTTPFault) {
    lines += 1
    lineStart = count
    // The first line is the request's.
    guard lines <= limits.fields + 1 else { throw .tooManyFields(limit: limits.fields) }
  }

  private mutating func check(_ byte: UInt8) throws(HTTPFault) {
    guard count < limits.headBytes else { throw .headTooLong(limit: limits.headBytes) }
    if previous == .carriageReturn, byte != .lineFeed {
      throw .malformed("a carriage return has no line feed")
    }
    switch byte {
    case .lineFeed:
      guard previous == .carriageReturn else {
        throw .malformed("a line feed has no carriage return")
      }
    case .carriageReturn: break
    case .tab, .space:
      if lines > 0, count == lineStart { throw .malformed("a field goes on in the next line") }
    case ..<0x20, 0x7F: throw .malformed("it has a control character")
    default: break
    }
    if lines == 0 { try checkRequestLine(byte) }
  }

  private mutating func checkRequestLine(_ byte: UInt8) throws(HTTPFault) {
    if !hasMethod {
      guard count < Self.methodBytes else { throw .unknownMethod }
      if byte == .space, count > 0 { return hasMethod = true }
      guard byte.isToken else { throw .malformed("it does not begin with a method") }
    }
    guard count < Self.methodBytes + limits.targetBytes + Self.versionBytes else {
      throw .targetTooLong(limit: limits.targetBytes)
    }
  }
}

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// Whether names of methods and fields may have this byte (RFC 9110, 5.6.2).
  var isToken: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }
}
