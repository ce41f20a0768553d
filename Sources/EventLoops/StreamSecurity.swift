package import TLS

/// How a listener secures its streams: with a certificate, without, or as the peer begins.
///
/// A client speaks first in every protocol here, and a TLS record begins with a byte that no text
/// does, so one port serves both kinds of peers.
package final class StreamSecurity: Sendable {
  /// What the server proves itself by; without it, nobody can speak TLS.
  package let identity: TLSIdentity?
  /// Whether peers may do without encryption.
  package let allowsPlaintext: Bool
  /// What is spoken inside TLS.
  let spoken: ApplicationProtocol
  /// The message to a peer that must encrypt but does not; `nil` sends none.
  let answerToPlaintext: SharedBytes?

  package init(
    identity: TLSIdentity?, speaking spoken: ApplicationProtocol = .matinee, allowsPlaintext: Bool,
    answerToPlaintext: SharedBytes? = nil
  ) {
    self.identity = identity
    self.spoken = spoken
    self.allowsPlaintext = allowsPlaintext
    self.answerToPlaintext = answerToPlaintext
  }

  /// The same with another certificate.
  package func with(_ identity: TLSIdentity) -> StreamSecurity {
    StreamSecurity(
      identity: identity, speaking: spoken, allowsPlaintext: allowsPlaintext,
      answerToPlaintext: answerToPlaintext)
  }
}

/// Why a stream failed.
package enum StreamError: Error, Equatable, CustomStringConvertible {
  case system(UVError)
  case security(TLSFault)

  package var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .security(let fault): "\(fault)"
    }
  }

  /// The system's error, if it is one.
  package var code: UVError.Code? {
    if case .system(let error) = self { error.code } else { nil }
  }
}

/// What lies between the bytes of a stream and those of its user: nothing, or TLS.
struct SecurityLayer {
  private enum State {
    case plain
    /// The first byte from the peer decides.
    case undecided(StreamSecurity)
    case securing(TLSSession)
    case secured(TLSSession)
  }

  /// What arrived.
  enum Arrival {
    /// The bytes as they are.
    case plaintext
    /// What was decrypted lies in the loop's ``TLSBuffers``.
    case decrypted
    /// The same, and the handshake is over.
    case established
  }

  private var state = State.plain
  /// What is to be sent once the handshake is over.
  private var held: [SharedBytes] = []
  /// What the session has answered by itself since the kernel last took everything, as far as it
  /// waits.
  private var unreadBytes = 0

  /// How many such bytes may wait.
  ///
  /// A handshake is answered with a few certificates of a few KiB; a
  /// peer may ask for new keys (RFC 8446, 4.6.3) without end, and nobody else counts the answers.
  private static let unreadBytesMaximum = 64 * 1024

  var isPlain: Bool {
    if case .plain = state { true } else { false }
  }

  /// Whether the handshake is over.
  var isSecured: Bool {
    if case .secured = state { true } else { false }
  }

  /// How many bytes wait for the end of the handshake.
  var heldBytes: Int { held.reduce(0) { $0 + $1.count } }

  /// Lets the peer's first byte decide.
  mutating func wait(under security: StreamSecurity) { state = .undecided(security) }

  /// Secures what follows.
  mutating func begin(_ session: TLSSession) { state = .securing(session) }

  /// Takes what arrived.
  mutating func receive(
    _ bytes: Span<UInt8>, in buffers: () -> TLSBuffers
  ) throws(TLSFault) -> Arrival {
    switch state {
    case .plain: return .plaintext
    case .undecided(let security):
      try decide(security, bytes, in: buffers)
      return try receive(bytes, in: buffers)
    case .securing(let session):
      try session.receive(bytes)
      guard session.isEstablished else { return .decrypted }
      state = .secured(session)
      return .established
    case .secured(let session):
      try session.receive(bytes)
      return .decrypted
    }
  }

  private mutating func decide(
    _ security: StreamSecurity, _ bytes: Span<UInt8>, in buffers: () -> TLSBuffers
  ) throws(TLSFault) {
    guard bytes[0] == Self.handshakeRecord else {
      guard security.allowsPlaintext else { throw .plaintext }
      return state = .plain
    }
    guard let identity = security.identity else { throw .noIdentity }
    state = .securing(
      TLSSession(answeringAs: identity, speaking: security.spoken, in: buffers()))
  }

  /// The first byte of a TLS record with a handshake message (RFC 8446, 5.1); no line of JSON begins
  /// with it.
  private static let handshakeRecord: UInt8 = 22

  /// What a peer is told that must not go on.
  var lastWords: SharedBytes? {
    if case .undecided(let security) = state { security.answerToPlaintext } else { nil }
  }

  /// Takes messages to send.
  ///
  /// - Returns: whether they are sent as they are; otherwise they are encrypted in the loop's
  ///   ``TLSBuffers``, or wait for the end of the handshake.
  mutating func send(_ batch: ArraySlice<SharedBytes>) throws(TLSFault) -> Bool {
    switch state {
    case .plain: return true
    case .undecided(let security) where security.identity == nil:
      state = .plain
      return true
    case .undecided, .securing: held += batch
    case .secured(let session): try Self.seal(batch, session)
    }
    return false
  }

  /// Encrypts what waited for the end of the handshake; what waited with an undecided peer that
  /// turned out to be plain is returned.
  mutating func takeHeld() throws(TLSFault) -> [SharedBytes] {
    let batch = held
    held = []
    return try send(batch[...]) ? batch : []
  }

  private static func seal(
    _ batch: ArraySlice<SharedBytes>, _ session: TLSSession
  ) throws(TLSFault) {
    for bytes in batch {
      let buffer = unsafe bytes.buffer
      try withExtendedLifetime(bytes) { () throws(TLSFault) in
        try unsafe session.seal(buffer.span)
      }
    }
    try session.finishRecord()
  }

  /// Counts what the session has answered by itself.
  ///
  /// - Parameters:
  ///   - count: how many bytes of the answer the kernel has not taken.
  ///   - before: how many bytes waited before it.
  /// - Throws: if the peer does not read the answers.
  mutating func countUnread(_ count: Int, behind before: Int) throws(TLSFault) {
    unreadBytes = (before == 0 ? 0 : unreadBytes) + count
    guard unreadBytes <= Self.unreadBytesMaximum else { throw .unread }
  }

  /// Says that this side sends no more.
  mutating func end() {
    if case .secured(let session) = state { session.end() }
  }

  /// Whether the peer said that it sends no more.
  var hasEnded: Bool {
    if case .secured(let session) = state { session.hasEnded } else { false }
  }

  /// Whether an end of the bytes comes too early.
  var isSecuring: Bool {
    if case .securing = state { true } else { false }
  }
}
