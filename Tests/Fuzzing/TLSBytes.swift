import TLS

/// A server's side of TLS.
///
/// An input is a byte, whose lowest bit tells whether the handshake is over, and what arrives; the
/// other bits tell in which pieces.
final class TLSBytes: FuzzTarget {
  static let name = "tls"
  static let claim =
    "bytes of a stranger end a session with a fault, and cost no more than they are"

  private let identity: TLSIdentity
  private let buffers = TLSBuffers()
  private let clientBuffers = TLSBuffers()
  /// The most that a server sends in a handshake: its certificate, once.
  private static let longestAnswer = 8 * 1024

  init() throws {
    let pem = SelfSignedCertificate.make()
    identity = try TLSIdentity(certificates: pem, key: pem)
  }

  static func seeds() throws -> [[UInt8]] {
    let pem = SelfSignedCertificate.make()
    let identity = try TLSIdentity(certificates: pem, key: pem)
    let buffers = TLSBuffers()
    let client = TLSSession(
      callingUnder: TLSTrust(key: identity.fingerprint), host: "example.org", in: buffers)
    try client.start()
    let hello = output(of: buffers)
    // An alert, application data, a change of the cipher, and a heartbeat (RFC 8446, 5.1).
    let records: [[UInt8]] = [
      [21, 3, 3, 0, 2, 1, 0], [23, 3, 3, 0, 3, 1, 2, 3], [20, 3, 3, 0, 1, 1], [24, 3, 3, 0, 1, 1],
      Array("GET / HTTP/1.1\r\n\r\n".utf8),
    ]
    let strangers = [[], hello] + records + records.map { hello + $0 }
    return strangers.flatMap { bytes in [0, 8].map { [$0] + bytes } } + records.map { [1] + $0 }
  }

  func check(_ input: [UInt8]) throws {
    guard let first = input.first else { return }
    let server = TLSSession(answeringAs: identity, in: buffers)
    let isEstablished = first & 1 == 1
    if isEstablished { try shakeHands(with: server) }
    let bytes = input.dropFirst()
    var (rest, answered, read) = (bytes, 0, 0)
    do throws(TLSFault) {
      while !rest.isEmpty {
        let piece = Array(rest.prefix(first < 2 ? rest.count : Int(first >> 1)))
        rest = rest.dropFirst(piece.count)
        defer { (answered, read) = (answered + sent(), read + plaintextBytes()) }
        try server.receive(piece.span)
      }
    } catch {
      try require(!error.description.isEmpty, else: "\(error) has no sentence")
    }
    // An empty record has five bytes, and may be answered with an alert or a key of some 40.
    let limit = Self.longestAnswer + 10 * bytes.count
    try require(answered <= limit, else: "\(bytes.count) bytes are answered with \(answered)")
    try require(read == 0, else: "\(read) bytes of a stranger are believed")
    try require(server.isEstablished == isEstablished, else: "a stranger has shaken hands")
  }

  private func shakeHands(with server: TLSSession) throws {
    let client = TLSSession(
      callingUnder: TLSTrust(key: identity.fingerprint), host: "example.org", in: clientBuffers)
    try client.start()
    var rest = Self.output(of: clientBuffers)
    while !rest.isEmpty {
      try server.receive(rest.span)
      let answer = Self.output(of: buffers)
      if !answer.isEmpty { try client.receive(answer.span) }
      rest = Self.output(of: clientBuffers)
    }
    try require(server.isEstablished, else: "a client is not let in")
  }

  private func sent() -> Int { Self.output(of: buffers).count }

  private func plaintextBytes() -> Int {
    var count = 0
    buffers.takePlaintext { count = $0.count }
    return count
  }

  private static func output(of buffers: TLSBuffers) -> [UInt8] {
    var bytes: [UInt8] = []
    buffers.takeOutput { span in bytes = span.indices.map { span[$0] } }
    return bytes
  }
}
