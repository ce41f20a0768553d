internal import CLibssl

/// Which servers a client trusts.
package struct TLSTrust: Sendable {
  let context: TLSContext
  /// The only key that the server may have; it replaces authorities, name and expiry.
  let key: KeyFingerprint?

  /// Servers that the system's authorities vouch for.
  package static var systemRoots: TLSTrust {
    let context = unsafe TLSContext(TLS_client_method())
    unsafe SSL_CTX_set_default_verify_paths(context.raw)
    return TLSTrust(context, key: nil)
  }

  /// The server with this key.
  package init(key: KeyFingerprint) {
    self.init(unsafe TLSContext(TLS_client_method()), key: key)
  }

  /// Servers that these authorities vouch for, or that show one of these certificates.
  ///
  /// - Parameter authorities: certificates in PEM.
  package init(authorities pem: [UInt8]) throws(TLSIdentityFault) {
    let context = unsafe TLSContext(TLS_client_method())
    let store = unsafe SSL_CTX_get_cert_store(context.raw)
    for certificate in try Certificate.all(inPEM: pem) {
      // The store takes a reference of its own.
      unsafe X509_STORE_add_cert(store, certificate.raw)
    }
    // A certificate that a person names is enough, whoever has signed it.
    unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    self.init(context, key: nil)
  }

  /// The other end of a ``ApplicationProtocol/link`` if it has this key.
  ///
  /// - Parameter pem: the certificate that this end shows there, and its private key; `nil` shows
  ///   none.
  package init(linkKey key: KeyFingerprint, showing pem: [UInt8]?) throws(TLSIdentityFault) {
    let context = unsafe TLSContext(TLS_client_method())
    if let pem { try context.show(pem) }
    self.init(context, key: key, speaking: .link)
  }

  private init(
    _ context: TLSContext, key: KeyFingerprint?, speaking spoken: ApplicationProtocol = .matinee
  ) {
    self.context = context
    self.key = key
    if key == nil { unsafe SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER, nil) }
    let offer = spoken.offer
    unsafe SSL_CTX_set_alpn_protos(context.raw, offer, UInt32(offer.count))
  }
}
