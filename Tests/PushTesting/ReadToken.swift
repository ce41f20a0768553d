import Cryptography
import Foundation
import Vocabulary

/// A decoded token, as its recipient sees it (RFC 7515, 7519).
package struct ReadToken {
  /// The algorithm, the type and the key's id.
  package let header: [String: String]
  /// The claims as texts.
  package let claims: [String: String]

  /// Decodes a token and verifies its signature.
  ///
  /// - Parameter publicKey: 65 bytes, uncompressed.
  package init(_ text: String, signedBy publicKey: [UInt8]) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let signature = Base64URL.bytes(of: parts[2]) else {
      throw Failure.form
    }
    let key = try PublicKey(p256Point: publicKey)
    guard key.isValid(signature, for: Array("\(parts[0]).\(parts[1])".utf8)) else {
      throw Failure.signature
    }
    header = try Self.fields(parts[0])
    claims = try Self.fields(parts[1])
  }

  /// Decodes the field `Authorization` of Web Push, which contains the key (RFC 8292, 3).
  package init(vapid field: String) throws {
    let words = field.split(separator: " ")
    guard words.count == 3, words[0] == "vapid", words[1].hasPrefix("t="), words[1].hasSuffix(","),
      words[2].hasPrefix("k="), let key = Base64URL.bytes(of: words[2].dropFirst(2))
    else { throw Failure.form }
    try self.init(String(words[1].dropFirst(2).dropLast()), signedBy: key)
  }

  private static func fields(_ part: Substring) throws -> [String: String] {
    let object = try JSONSerialization.jsonObject(with: Data(Base64URL.bytes(of: part) ?? []))
    return (object as? [String: Any] ?? [:]).mapValues { "\($0)" }
  }

  private enum Failure: Error { case form, signature }
}
