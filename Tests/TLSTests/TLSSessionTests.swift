import TLS
import Testing

/// Two sides of a connection without a socket: what one sends, the other receives.
private struct Pair {
  let client: TLSSession
  let server: TLSSession
  private let clientBuffers = TLSBuffers()
  private let serverBuffers: TLSBuffers

  /// - Parameter serverBuffers: the memory of the server, which all its sessions share.
  init(
    _ identity: TLSIdentity, _ trust: TLSTrust, speaking spoken: ApplicationProtocol = .matinee,
    in serverBuffers: TLSBuffers = TLSBuffers()
  ) {
    self.serverBuffers = serverBuffers
    client = TLSSession(callingUnder: trust, host: "example.org", in: clientBuffers)
    server = TLSSession(answeringAs: identity, speaking: spoken, in: serverBuffers)
  }

  /// Exchanges bytes until nobody has any left.
  func shakeHands() throws(TLSFault) {
    try client.start()
    var rest = output(of: clientBuffers)
    while !rest.isEmpty {
      try server.receive(rest.span)
      let answer = output(of: serverBuffers)
      if !answer.isEmpty { try client.receive(answer.span) }
      rest = output(of: clientBuffers)
    }
  }

  /// What the client encrypts a message to.
  func sealed(_ messages: [[UInt8]]) throws(TLSFault) -> [UInt8] {
    for message in messages { try client.seal(message.span) }
    try client.finishRecord()
    return output(of: clientBuffers)
  }

  /// What the server reads in encrypted bytes that arrive in pieces.
  func opened(_ bytes: [UInt8], inPiecesOf size: Int) throws(TLSFault) -> [UInt8] {
    var plaintext: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      try server.receive(piece.span)
      serverBuffers.takePlaintext { plaintext += copy($0) }
    }
    return plaintext
  }

  private func output(of buffers: TLSBuffers) -> [UInt8] {
    var bytes: [UInt8] = []
    buffers.takeOutput { bytes = copy($0) }
    return bytes
  }
}

private func copy(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

/// A key and its certificate, as a server makes them for itself.
private func identity() throws -> TLSIdentity {
  let pem = SelfSignedCertificate.make()
  return try TLSIdentity(certificates: pem, key: pem)
}

@Suite("A TLS session without a socket")
struct TLSSessionTests {
  @Test(
    "messages of any size arrive whole, in pieces of any size",
    arguments: [1, 100, 16 * 1024, 64 * 1024])
  func arrives(pieces: Int) throws {
    let identity = try identity()
    let pair = Pair(identity, TLSTrust(key: identity.fingerprint))
    try pair.shakeHands()
    #expect(pair.client.isEstablished && pair.server.isEstablished)
    let messages: [[UInt8]] = [1, 200, 16 * 1024, 3, 50_000].map { count in
      (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }
    let sealed = try pair.sealed(messages)
    #expect(try pair.opened(sealed, inPiecesOf: pieces) == messages.flatMap(\.self))
  }

  @Test("what came before a broken record counts for nobody, least of all for another session")
  func keepsSessionsApart() throws {
    let identity = try identity()
    let buffers = TLSBuffers()
    let (attacker, victim) = (
      Pair(identity, TLSTrust(key: identity.fingerprint), in: buffers),
      Pair(identity, TLSTrust(key: identity.fingerprint), in: buffers)
    )
    for pair in [attacker, victim] { try pair.shakeHands() }
    var sealed = try attacker.sealed([Array("evil".utf8)])
    var broken = try attacker.sealed([Array("rest".utf8)])
    broken[broken.count - 1] ^= 1
    sealed += broken
    #expect(throws: TLSFault.self) { try attacker.opened(sealed, inPiecesOf: sealed.count) }
    let honest = try victim.sealed([Array("good".utf8)])
    #expect(try victim.opened(honest, inPiecesOf: honest.count) == Array("good".utf8))
  }

  @Test("short messages of one turn share a record")
  func sharesRecords() throws {
    let identity = try identity()
    let pair = Pair(identity, TLSTrust(key: identity.fingerprint))
    try pair.shakeHands()
    let together = try pair.sealed(Array(repeating: [1, 2, 3], count: 10))
    let one = try pair.sealed([[1, 2, 3]])
    #expect(together.count == one.count + 27)
  }

  @Test("a client that expects another key is not connected, and says which key it saw")
  func refusesOtherKey() throws {
    let (identity, other) = (try identity(), try identity())
    let pair = Pair(identity, TLSTrust(key: other.fingerprint))
    #expect(throws: TLSFault.otherKey(identity.fingerprint)) { try pair.shakeHands() }
    #expect(!pair.client.isEstablished)
  }

  @Test("the system's authorities do not vouch for a certificate that a server made itself")
  func refusesUnknownAuthority() throws {
    let pair = Pair(try identity(), .systemRoots)
    #expect(throws: TLSFault.untrusted("self-signed certificate")) { try pair.shakeHands() }
  }

  @Test("a byte changed on the way ends the connection, and nothing of it is read")
  func noticesChange() throws {
    let identity = try identity()
    let pair = Pair(identity, TLSTrust(key: identity.fingerprint))
    try pair.shakeHands()
    var sealed = try pair.sealed([Array("play".utf8)])
    sealed[sealed.count - 1] ^= 1
    #expect(throws: TLSFault.self) { try pair.opened(sealed, inPiecesOf: 1_000) }
  }

  @Test("a peer that speaks another protocol is recognised")
  func recognisesOtherProtocols() throws {
    let buffers = TLSBuffers()
    let server = TLSSession(answeringAs: try identity(), in: buffers)
    let bytes = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    #expect(throws: TLSFault.notTLS) { try server.receive(bytes.span) }
  }

  @Test("the end that a peer says is told from a connection that breaks")
  func saysItsEnd() throws {
    let identity = try identity()
    let pair = Pair(identity, TLSTrust(key: identity.fingerprint))
    try pair.shakeHands()
    _ = try pair.opened(try pair.sealed([[1]]), inPiecesOf: 1_000)
    #expect(!pair.server.hasEnded)
    pair.client.end()
    _ = try pair.opened(try pair.sealed([]), inPiecesOf: 1_000)
    #expect(pair.server.hasEnded)
  }

  // MARK: Links

  @Test("servers that share a key recognise each other")
  func linksServersOfOneKey() throws {
    let pem = SelfSignedCertificate.make()
    let identity = try TLSIdentity(certificates: pem, key: pem)
    let pair = Pair(
      identity, try TLSTrust(linkKey: identity.fingerprint, showing: pem), speaking: .link)
    try pair.shakeHands()
    #expect(pair.client.isEstablished && pair.server.isEstablished)
    #expect(try pair.opened(try pair.sealed([[1, 2]]), inPiecesOf: 10) == [1, 2])
  }

  @Test("over a link, a server refuses whoever does not have its key")
  func refusesWhoHasNoKey() throws {
    let identity = try identity()
    for shown in [nil, SelfSignedCertificate.make()] {
      let trust = try TLSTrust(linkKey: identity.fingerprint, showing: shown)
      let stranger = Pair(identity, trust, speaking: .link)
      #expect(throws: TLSFault.self) { try stranger.shakeHands() }
      #expect(!stranger.server.isEstablished)
    }
  }

  @Test("a client of people's protocol has nothing to say over a link, and the other way round")
  func keepsLinksApart() throws {
    let pem = SelfSignedCertificate.make()
    let identity = try TLSIdentity(certificates: pem, key: pem)
    for (trust, spoken) in [
      (TLSTrust(key: identity.fingerprint), ApplicationProtocol.link),
      (try TLSTrust(linkKey: identity.fingerprint, showing: pem), .matinee),
    ] {
      let pair = Pair(identity, trust, speaking: spoken)
      #expect(throws: TLSFault.self) { try pair.shakeHands() }
      #expect(!pair.server.isEstablished)
    }
  }
}

@Suite("Certificates and keys")
struct TLSIdentityTests {
  @Test("what does not fit is refused, and says which part")
  func refuses() throws {
    let (pem, other) = (SelfSignedCertificate.make(), SelfSignedCertificate.make())
    let certificate = pem.prefix(while: { _ in true })
    #expect(throws: TLSIdentityFault.noCertificate) {
      try TLSIdentity(certificates: Array("no PEM".utf8), key: pem)
    }
    #expect(throws: TLSIdentityFault.noKey) {
      try TLSIdentity(certificates: pem, key: Array("no PEM".utf8))
    }
    #expect(throws: TLSIdentityFault.mismatch) {
      try TLSIdentity(certificates: Array(certificate), key: other)
    }
    #expect(throws: TLSIdentityFault.misplaced) {
      try TLSIdentity(certificates: other + pem, key: pem)
    }
    var broken = pem
    broken[60] = UInt8(ascii: "!")
    #expect(throws: TLSIdentityFault.noCertificate) {
      try TLSIdentity(certificates: broken, key: pem)
    }
  }

  @Test("a certificate that a server makes itself is new each time, and outlives its server")
  func makes() throws {
    let (first, second) = (try identity(), try identity())
    #expect(first.fingerprint != second.fingerprint)
    #expect(first.remainingSeconds > 90 * 365 * 86_400)
    #expect(first.waitingSeconds < 0)
  }
}
