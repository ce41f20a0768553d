import Cryptography
import JSON
import Vocabulary

/// Reads sets of keys (JWKS, RFC 7517) for verifying tokens.
enum JSONWebKeySet {
  /// The keys of a set by their `kid`.
  ///
  /// Keys that are not for verifying signatures, or of an unknown kind, are left out, as RFC 7517, 5
  /// asks; services publish their keys for encryption in the same set. A key that should be usable
  /// and is not makes the set invalid.
  static func keys(in text: String) throws(TokenKeyFault) -> [String: TokenKey] {
    var keys: [String: TokenKey] = [:]
    for (index, entry) in try entries(in: text).enumerated() where entry.isForTokens {
      guard let id = entry.id, keys[id] == nil else { throw .keyID(number: index + 1) }
      do throws(TokenKeyFault) { keys[id] = try entry.key() } catch {
        throw .key(number: index + 1, error)
      }
    }
    guard !keys.isEmpty else { throw .noKeyInSet }
    return keys
  }

  private static func entries(in text: String) throws(TokenKeyFault) -> [JSONWebKey] {
    let bytes = Array(text.utf8)
    var parser = JSONParser(maximumBytes: max(bytes.count, 1))
    do throws(DecodingFlaw) {
      return try parser.parse(bytes.span) { object throws(DecodingFlaw) in
        try object.array("keys", maximum: .max).map { value throws(DecodingFlaw) in
          try JSONWebKey(value.object())
        }
      }
    } catch {
      throw .notSet
    }
  }
}

/// The fields of one key in a set, before it is known whether they fit together.
private struct JSONWebKey {
  let id: String?
  private let type: String
  private let algorithm: String?
  private let use: String?
  private let operations: [String]?
  private let curve: String?
  private let isPrivate: Bool
  /// The numbers `x`, `y`, `n`, `e` and `k` in Base64URL.
  private let numbers: [String: String]

  init(_ object: JSONObject) throws(DecodingFlaw) {
    let names = try object.uniqueNames()
    id = try object.optionalString("kid", maximum: .max)
    type = try object.string("kty", maximum: .max)
    algorithm = try object.optionalString("alg", maximum: .max)
    use = try object.optionalString("use", maximum: .max)
    operations = try object.optionalArray("key_ops", maximum: .max)?.map {
      value throws(DecodingFlaw) in try value.string(maximum: .max)
    }
    curve = try object.optionalString("crv", maximum: .max)
    isPrivate = names.contains("d")
    var numbers: [String: String] = [:]
    for name in ["x", "y", "n", "e", "k"] {
      numbers[name] = try object.optionalString(name, maximum: .max)
    }
    self.numbers = numbers
  }

  /// The algorithm that the key's kind determines; `nil` if the kind is unknown.
  private var fixedAlgorithm: String? {
    switch (type, curve) {
    case ("EC", "P-256"): SignatureAlgorithm.es256.rawValue
    case ("OKP", "Ed25519"): SignatureAlgorithm.edDSA.rawValue
    case ("RSA", _): SignatureAlgorithm.rs256.rawValue
    case ("oct", _): TokenKeyText.secretAlgorithm
    default: nil
    }
  }

  /// Whether the key is meant to verify signatures of an algorithm that is known.
  var isForTokens: Bool {
    guard let fixedAlgorithm else { return false }
    return algorithm ?? fixedAlgorithm == fixedAlgorithm && use ?? "sig" == "sig"
      && operations?.contains("verify") ?? true
  }

  func key() throws(TokenKeyFault) -> TokenKey {
    guard !isPrivate else { throw .privateKey }
    guard type != "oct" else { return try TokenKey(secret: number("k")) }
    do throws(KeyFault) {
      return TokenKey(try publicKey())
    } catch {
      throw TokenKeyFault(error)
    }
  }

  private func publicKey() throws(KeyFault) -> PublicKey {
    switch type {
    case "EC":
      let (x, y) = (bytes("x"), bytes("y"))
      // Each has 32 bytes, leading zeros included (RFC 7518, 6.2.1.2).
      guard x?.count == 32, y?.count == 32 else { throw .unreadable }
      return try PublicKey(p256Point: [4] + (x ?? []) + (y ?? []))
    case "OKP":
      return try PublicKey(ed25519: bytes("x") ?? [])
    default:
      guard let modulus = bytes("n"), let exponent = bytes("e") else { throw .unreadable }
      return try PublicKey(rsaModulus: modulus, exponent: exponent)
    }
  }

  private func number(_ name: String) throws(TokenKeyFault) -> [UInt8] {
    guard let bytes = bytes(name) else { throw .unreadable }
    return bytes
  }

  private func bytes(_ name: String) -> [UInt8]? {
    numbers[name].flatMap { Base64URL.bytes(of: $0) }
  }
}

extension JSONObject {
  /// The names of all fields.
  ///
  /// - Throws: a flaw if two fields have the same name: two readers would disagree about its value.
  func uniqueNames() throws(DecodingFlaw) -> Set<String> {
    var names: Set<String> = []
    try forEachField(nameMaximum: .max) { (name, _) throws(DecodingFlaw) in names.insert(name) }
    guard names.count == count else {
      throw .outOfRange(field: "", allowed: "an object without repeated names")
    }
    return names
  }
}
