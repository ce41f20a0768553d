import JSON
import Vocabulary

/// A JSON Web Token signed by ES256 (RFC 7515, 7519), in the compact form that headers carry.
enum SignedToken {
  /// The token with these fields in its header and its claims.
  static func text(
    header: (inout JSONWriter) -> Void, claims: (inout JSONWriter) -> Void, by key: SigningKey
  ) throws -> String {
    let signed = "\(part(header)).\(part(claims))"
    let signature = try key.signature(of: Array(signed.utf8))
    return "\(signed).\(Base64URL.text(of: signature))"
  }

  private static func part(_ fields: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(fields)
    return Base64URL.text(of: writer.bytes)
  }
}

extension Instant {
  /// Whole seconds since 1970, as tokens and headers write time.
  var seconds: Int64 { microseconds / 1_000_000 }
}
