internal import CLibssl

/// OpenSSL's settings for any number of connections (`SSL_CTX`).
///
/// Unchecked `Sendable`: it is not changed once it is made, and OpenSSL counts references with
/// atomics.
@safe final class TLSContext: @unchecked Sendable {
  let raw: OpaquePointer

  /// The settings of one side: TLS 1.2 and 1.3, without renegotiation, compression and resumption.
  ///
  /// Resumption would save a peer some 0.5 ms after a reconnection, and would cost each connection
  /// two tickets.
  init(_ method: OpaquePointer?) {
    guard let raw = unsafe SSL_CTX_new(method) else {
      preconditionFailure("OpenSSL cannot make a context: it has no memory.")
    }
    unsafe self.raw = raw
    unsafe SSL_CTX_ctrl(raw, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    unsafe SSL_CTX_ctrl(raw, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
    unsafe SSL_CTX_ctrl(raw, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    unsafe SSL_CTX_set_options(raw, noRenegotiation | noTicket | noCompression)
    unsafe SSL_CTX_set_num_tickets(raw, 0)
  }

  deinit {
    unsafe SSL_CTX_free(raw)
  }
}

// OpenSSL defines these by a macro that Swift does not import (SSL_CTX_set_options(3)).
private let noTicket: UInt64 = 1 << 14
private let noCompression: UInt64 = 1 << 17
private let noRenegotiation: UInt64 = 1 << 30

/// What a side says it speaks inside TLS (ALPN, RFC 7301).
package enum ApplicationProtocol: Int, CaseIterable, Sendable {
  /// The native protocol.
  case matinee = 1
  /// HTTP/1.1, and WebSocket behind it.
  case http
  /// What servers of one cluster speak with each other; each shows the other the key that they
  /// share.
  case link

  private var name: [UInt8] {
    switch self {
    case .matinee: Array("matinee/1".utf8)
    case .http: Array("http/1.1".utf8)
    case .link: Array("matinee-link/1".utf8)
    }
  }

  /// The offer of a client: a length and a name.
  var offer: [UInt8] { [UInt8(name.count)] + name }

  /// Lets a server choose this protocol; a client that offers only others is refused, so that nobody
  /// leads a browser to where another one is spoken (RFC 7301, 3.2; the attack is called ALPACA).
  func choose(in context: OpaquePointer) {
    unsafe SSL_CTX_set_alpn_select_cb(
      context,
      { _, chosen, chosenCount, offer, count, this in
        let number = Int(bitPattern: this)
        guard let name = ApplicationProtocol(rawValue: number)?.name else {
          return SSL_TLSEXT_ERR_ALERT_FATAL
        }
        let offer = unsafe UnsafeBufferPointer(start: offer, count: Int(count))
        var place = 0
        while place < offer.count {
          let length = Int(unsafe offer[place])
          if unsafe offer[(place + 1)...].prefix(length).elementsEqual(name) {
            unsafe chosen?.pointee = unsafe offer.baseAddress.map { unsafe $0 + place + 1 }
            unsafe chosenCount?.pointee = UInt8(length)
            return SSL_TLSEXT_ERR_OK
          }
          place += 1 + length
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
      }, UnsafeMutableRawPointer(bitPattern: rawValue))
  }
}
