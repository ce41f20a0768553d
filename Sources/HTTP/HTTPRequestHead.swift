/// The head of a request, and how long the body behind it is.
struct HTTPRequestHead: Equatable, Sendable {
  let bodyBytes: Int
  private let method: HTTPMethod
  private let target: HTTPTarget
  private let version: HTTPVersion
  private let fields: HTTPFields
  private let keepsAlive: Bool

  /// Reads a head that ``HeadScanner`` has found.
  init(_ head: ArraySlice<UInt8>, _ limits: HTTPLimits) throws(HTTPFault) {
    let line = head.prefix { $0 != .carriageReturn }
      .split(separator: .space, omittingEmptySubsequences: false)
    guard line.count == 3 else {
      throw .malformed("its first line is not a method, an address and a version")
    }
    let word = { (bytes: ArraySlice<UInt8>) in String(decoding: bytes, as: UTF8.self) }
    version = try Self.version(word(line[2]))
    guard let method = HTTPMethod(rawValue: word(line[0])) else { throw .unknownMethod }
    guard line[1].count <= limits.targetBytes else {
      throw .targetTooLong(limit: limits.targetBytes)
    }
    self.method = method
    let read = try HeadFields(head)
    guard !read.fields.contains(where: \.name.isEmpty) else {
      throw .malformed("a field has no name")
    }
    fields = HTTPFields(read.fields)
    keepsAlive = read.keepsAlive
    target = try HTTPTarget(word(line[1]))
    guard target.path != "*" || method == .options else {
      throw .malformed("only OPTIONS asks about the server as a whole")
    }
    bodyBytes = try Self.bodyBytes(by: fields, limits)
    try Self.checkHost(fields, version)
  }

  func request(body: ArraySlice<UInt8>) -> HTTPRequest {
    HTTPRequest(
      method: method, target: target, version: version, host: target.host ?? fields["host"],
      fields: fields, body: Array(body), keepsAlive: keepsAlive)
  }

  private static func version(_ text: String) throws(HTTPFault) -> HTTPVersion {
    if let version = HTTPVersion(rawValue: text) { return version }
    let letters = Array(text.utf8)
    guard letters.count == 8, text.hasPrefix("HTTP/"), letters[5].isDigit, letters[7].isDigit,
      letters[6] == UInt8(ascii: ".")
    else { throw .malformed("its first line does not end with a version") }
    throw .unknownVersion
  }

  /// How long the body is (RFC 9112, 6.3).
  ///
  /// `chunked` is understood, but not taken: a server may ask for a length instead.
  private static func bodyBytes(
    by fields: HTTPFields, _ limits: HTTPLimits
  ) throws(HTTPFault) -> Int {
    let lengths = fields.count(of: "content-length")
    if fields.count(of: "transfer-encoding") > 0 {
      // llhttp refuses both together, too, unless somebody sets its flags otherwise.
      guard lengths == 0 else { throw .malformed("its body has two lengths") }
      let codings = fields.words(of: "transfer-encoding")
      guard codings.last == "chunked" else { throw .malformed("nobody knows where its body ends") }
      throw codings.count == 1 ? .noLength : .unknownCoding
    }
    guard let text = fields["content-length"] else { return 0 }
    guard lengths == 1, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
      throw .malformed("its Content-Length is no number")
    }
    guard let count = Int(text), count <= limits.bodyBytes else {
      throw .bodyTooLong(limit: limits.bodyBytes)
    }
    guard count == 0 || fields["expect"] == nil else { throw .expectation }
    return count
  }

  private static func checkHost(
    _ fields: HTTPFields, _ version: HTTPVersion
  ) throws(HTTPFault) {
    let count = fields.count(of: "host")
    guard count == 1 || (count == 0 && version == .http10) else {
      throw .malformed("it has \(count == 0 ? "no" : "more than one") Host")
    }
    guard let host = fields["host"] else { return }
    // Letters of names, addresses and ports (RFC 3986, 3.2.2), without a user.
    let isHost = host.utf8.allSatisfy { $0.isToken || $0 == .colon || "[](),;=".utf8.contains($0) }
    guard isHost else { throw .malformed("its Host is none") }
  }
}

extension UInt8 {
  static let colon = UInt8(ascii: ":")

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
