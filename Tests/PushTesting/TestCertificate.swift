import Cryptography
import Foundation

/// A self-signed certificate for one host name (RFC 5280); each test makes its own.
package struct TestCertificate: Sendable {
  /// The certificate, in DER.
  package let certificate: [UInt8]
  /// Its private key, in PEM.
  package let key: [UInt8]

  /// Makes a certificate for a host name, valid until the middle of the century.
  package init(name: String) throws {
    let key = PrivateKey.newP256()
    let algorithm = DER.sequence(DER.identifier(1, 2, 840, 10_045, 4, 3, 2))
    let person = DER.sequence(
      DER.set(DER.sequence(DER.identifier(2, 5, 4, 3), DER.node(0x0C, Array(name.utf8)))))
    let life = DER.sequence(
      DER.node(0x17, Array("200101000000Z".utf8)), DER.node(0x17, Array("491231235959Z".utf8)))
    let names = DER.sequence(
      DER.identifier(2, 5, 29, 17), DER.node(4, DER.sequence(DER.node(0x82, Array(name.utf8)))))
    let isAuthority = DER.sequence(
      DER.identifier(2, 5, 29, 19), DER.yes, DER.node(4, DER.sequence(DER.yes)))
    let signed = DER.sequence(
      DER.node(0xA0, DER.node(2, [2])), DER.node(2, [1]), algorithm, person, life, person,
      key.publicKey.der,
      DER.node(0xA3, DER.sequence(names, isAuthority)))
    let numbers = try key.signature(of: signed)
    let signature = DER.sequence(
      DER.integer(numbers.prefix(32)), DER.integer(numbers.suffix(32)))
    certificate = DER.sequence(signed, algorithm, DER.node(3, [0] + signature))
    self.key = Array(key.pem.utf8)
  }

  /// The certificate in PEM, for clients that trust it.
  package var pem: String {
    let lines = Data(certificate).base64EncodedString(options: .lineLength64Characters)
    return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
  }
}

/// The subset of DER (ITU-T X.690) that a certificate needs.
private enum DER {
  static let yes = node(1, [0xFF])

  static func node(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      switch count {
      case ..<128: [UInt8(count)]
      case ..<256: [0x81, UInt8(count)]
      default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
      }
    return [tag] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { node(0x30, parts.flatMap(\.self)) }

  /// A positive number.
  static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    return node(2, (digits.first ?? 0x80) < 0x80 ? Array(digits) : [0] + digits)
  }

  static func set(_ parts: [UInt8]...) -> [UInt8] { node(0x31, parts.flatMap(\.self)) }

  static func identifier(_ numbers: Int...) -> [UInt8] {
    var bytes = [UInt8(numbers[0] * 40 + numbers[1])]
    for number in numbers.dropFirst(2) {
      var groups = [UInt8(number & 0x7F)]
      var rest = number >> 7
      while rest > 0 {
        groups.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      bytes += groups.reversed()
    }
    return node(6, bytes)
  }
}
