/// The subset of DER (ITU-T X.690) in which keys and signatures are handed to OpenSSL.
enum DER {
  /// A node: its tag, the length of its content, the content.
  static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      switch count {
      case ..<128: [UInt8(count)]
      case ..<256: [0x81, UInt8(count)]
      default: [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
      }
    return [tag] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { node(0x30, parts.flatMap(\.self)) }

  /// A positive number, given as big-endian bytes of any length.
  static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    // A first bit of 1 would be a minus sign.
    return node(0x02, (digits.first ?? 0x80) < 0x80 ? digits : [0] + digits)
  }

  /// A string of whole bytes.
  static func bits(_ bytes: [UInt8]) -> [UInt8] { node(0x03, [0] + bytes) }

  /// Two positive numbers in a sequence, as ECDSA signs (RFC 3279, 2.2.3), each filled up with zeros
  /// to `size` bytes.
  ///
  /// - Returns: `nil` if it is anything else. Lengths of more than one byte are not read: two numbers
  ///   of 32 bytes need none.
  static func pair(_ bytes: [UInt8], size: Int) -> [UInt8]? {
    guard bytes.count > 2, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2 else { return nil }
    var rest = bytes[2...]
    var pair: [UInt8] = []
    for _ in 0..<2 {
      guard rest.popFirst() == 0x02, let count = rest.popFirst(), count <= rest.count else {
        return nil
      }
      let digits = rest.prefix(Int(count)).drop { $0 == 0 }
      guard digits.count <= size else { return nil }
      pair += Array(repeating: 0, count: size - digits.count) + digits
      rest = rest.dropFirst(Int(count))
    }
    return rest.isEmpty ? pair : nil
  }
}

/// The kinds of keys, as DER identifies them in a `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7).
extension DER {
  /// 1.2.840.10045.3.1.7, `prime256v1` (RFC 5480).
  static let p256: [UInt8] = node(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
  /// 1.2.840.10045.2.1, `ecPublicKey`, on that curve.
  private static let p256Key = sequence(
    node(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]), p256)
  /// 1.3.101.112 (RFC 8410).
  private static let ed25519Key = sequence(node(0x06, [0x2B, 0x65, 0x70]))
  /// 1.2.840.113549.1.1.1, `rsaEncryption`, with its null.
  private static let rsaKey = sequence(
    node(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]), node(0x05, []))

  /// A public key on P-256, from an uncompressed point of 65 bytes (SEC 1, 2.3.3).
  static func p256Key(point: [UInt8]) -> [UInt8] { sequence(p256Key, bits(point)) }

  /// A public key of Ed25519.
  static func ed25519Key(_ bytes: [UInt8]) -> [UInt8] { sequence(ed25519Key, bits(bytes)) }

  /// A public key of RSA, from big-endian numbers.
  static func rsaKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    sequence(rsaKey, bits(sequence(integer(modulus), integer(exponent))))
  }

  /// A private key on P-256 (RFC 5915) without its public half, which OpenSSL computes.
  static func p256PrivateKey(_ number: [UInt8]) -> [UInt8] {
    sequence(integer([1]), node(0x04, number), node(0xA0, p256))
  }
}
