internal import CLibssl

/// One side of a secured connection, without a socket: it turns bytes into bytes.
///
/// Results lie in ``TLSBuffers``: after each call, send what ``TLSBuffers/takeOutput(_:)`` has, also
/// if the call threw, because that tells the peer why. Confined to its loop's thread.
@safe package final class TLSSession {
  /// Whether the handshake is over and the peer is who it has to be.
  package private(set) var isEstablished = false
  /// Whether the peer has said that it sends no more.
  package private(set) var hasEnded = false
  private let ssl: OpaquePointer
  private let buffers: TLSBuffers
  /// The settings, which live as long as the session.
  private let context: TLSContext
  /// The key that the other side has to have; `nil` for clients of servers, and where authorities
  /// vouch for it.
  private let key: KeyFingerprint?

  /// The server's side; it waits for the client.
  ///
  /// - Parameter spoken: what is spoken inside; a client that names only other protocols is refused,
  ///   and over a ``ApplicationProtocol/link`` one that does not have the server's own key.
  package init(
    answeringAs identity: TLSIdentity, speaking spoken: ApplicationProtocol = .matinee,
    in buffers: TLSBuffers
  ) {
    self.buffers = buffers
    context = identity.context(for: spoken)
    key = spoken == .link ? identity.fingerprint : nil
    unsafe ssl = Self.make(context, buffers)
    unsafe SSL_set_accept_state(ssl)
  }

  /// The client's side; ``start()`` begins.
  ///
  /// - Parameter host: the name or address that the server's certificate has to have.
  package init(callingUnder trust: TLSTrust, host: String, in buffers: TLSBuffers) {
    self.buffers = buffers
    context = trust.context
    key = trust.key
    unsafe ssl = Self.make(context, buffers)
    unsafe SSL_set_connect_state(ssl)
    expect(host)
  }

  deinit {
    unsafe SSL_free(ssl)
  }

  private static func make(_ context: TLSContext, _ buffers: TLSBuffers) -> OpaquePointer {
    guard let ssl = unsafe SSL_new(context.raw), let channel = unsafe TLSChannel.make(to: buffers)
    else {
      preconditionFailure("OpenSSL cannot make a session: it has no memory.")
    }
    // Takes the one reference, because both directions share it.
    unsafe SSL_set_bio(ssl, channel, channel)
    return unsafe ssl
  }

  private func expect(_ host: String) {
    let checks = unsafe SSL_get0_param(ssl)
    if unsafe X509_VERIFY_PARAM_set1_ip_asc(checks, host) == 1 { return }
    ERR_clear_error()
    unsafe X509_VERIFY_PARAM_set_hostflags(checks, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    unsafe X509_VERIFY_PARAM_set1_host(checks, host, 0)
    // The server's name in the clear (RFC 6066, 3), which an address must not be.
    var name = Array(host.utf8CString)
    unsafe SSL_ctrl(
      ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
  }

  /// Begins the handshake of a client.
  package func start() throws(TLSFault) { try shakeHands() }

  /// Takes what arrived, and decrypts it.
  ///
  /// - Throws: a fault that ends the connection; then nothing of what arrived counts.
  package func receive(_ bytes: Span<UInt8>) throws(TLSFault) {
    // What a session has left behind must never be read as another one's.
    buffers.dropPlaintext()
    let fault = unsafe bytes.withUnsafeBytes { (bytes) -> TLSFault? in
      unsafe buffers.input = unsafe bytes
      defer { unsafe buffers.input = UnsafeRawBufferPointer(start: nil, count: 0) }
      do throws(TLSFault) {
        if !isEstablished { try shakeHands() }
        if isEstablished { try decrypt() }
        return nil
      } catch {
        return error
      }
    }
    if let fault { throw fault }
  }

  /// Encrypts messages; short ones share a record until ``finishRecord()``.
  package func seal(_ bytes: Span<UInt8>) throws(TLSFault) {
    guard !buffers.gather(bytes) else { return }
    try finishRecord()
    guard !buffers.gather(bytes) else { return }
    try unsafe bytes.withUnsafeBytes { (bytes) throws(TLSFault) in try unsafe encrypt(bytes) }
  }

  /// Encrypts what was gathered; call it behind the last message.
  package func finishRecord() throws(TLSFault) {
    try unsafe buffers.takeGathered { (bytes) throws(TLSFault) in try unsafe encrypt(bytes) }
  }

  private func encrypt(_ bytes: UnsafeRawBufferPointer) throws(TLSFault) {
    precondition(isEstablished, "nothing is sealed before the handshake")
    guard unsafe !bytes.isEmpty else { return }
    ERR_clear_error()
    var written = 0
    guard unsafe SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &written) == 1 else {
      throw TLSFault(queuedAfter: "sealing")
    }
  }

  /// Takes new keys, and asks the other side for the same (RFC 8446, 4.6.3).
  package func renewKeys() throws(TLSFault) {
    ERR_clear_error()
    guard unsafe SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1,
      unsafe SSL_do_handshake(ssl) == 1
    else { throw TLSFault(queuedAfter: "renewing keys") }
  }

  /// Says that this side sends no more.
  package func end() {
    guard isEstablished else { return }
    ERR_clear_error()
    unsafe SSL_shutdown(ssl)
    ERR_clear_error()
  }

  private func shakeHands() throws(TLSFault) {
    ERR_clear_error()
    let status = unsafe SSL_do_handshake(ssl)
    if status == 1 {
      try checkKey()
      isEstablished = true
    } else if unsafe SSL_get_error(ssl, status) != SSL_ERROR_WANT_READ {
      throw handshakeFault()
    }
  }

  private func handshakeFault() -> TLSFault {
    let verdict = unsafe SSL_get_verify_result(ssl)
    guard key == nil, verdict != Int(X509_V_OK) else { return TLSFault(queuedAfter: "handshake") }
    ERR_clear_error()
    return .untrusted(unsafe String(cString: X509_verify_cert_error_string(verdict)))
  }

  private func checkKey() throws(TLSFault) {
    guard let key else { return }
    guard let certificate = unsafe SSL_get1_peer_certificate(ssl) else { throw .notTLS }
    defer { unsafe X509_free(certificate) }
    guard let shown = unsafe KeyFingerprint(of: certificate) else { throw .notTLS }
    guard shown == key else { throw .otherKey(shown) }
  }

  private func decrypt() throws(TLSFault) {
    while true {
      ERR_clear_error()
      var status: Int32 = 0
      let count = unsafe buffers.decrypt { target in
        var read = 0
        status = unsafe SSL_read_ex(ssl, target.baseAddress, target.count, &read)
        return read
      }
      if count > 0 { continue }
      switch unsafe SSL_get_error(ssl, status) {
      case SSL_ERROR_WANT_READ: return
      case SSL_ERROR_ZERO_RETURN: return hasEnded = true
      default: throw TLSFault(queuedAfter: "reading")
      }
    }
  }
}

@available(*, unavailable)
extension TLSSession: Sendable {}
