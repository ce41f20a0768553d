import JSON
import Vocabulary

/// The three parts of a token (RFC 7515, 7.1), decoded.
struct TokenParts {
  let header: [UInt8]
  let claims: [UInt8]
  let signature: [UInt8]
  /// What the signature is over.
  let signed: [UInt8]

  init(_ token: String, atMost limit: Int) throws(TokenFault) {
    guard token.utf8.count <= limit else { throw .tooLong(limit: limit) }
    let parts = token.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.bytes(of: parts[0]),
      let claims = Base64URL.bytes(of: parts[1]), let signature = Base64URL.bytes(of: parts[2])
    else { throw .malformed }
    self.header = header
    self.claims = claims
    self.signature = signature
    signed = Array(token.utf8.dropLast(parts[2].utf8.count + 1))
  }

  /// Parses a part and passes it to the body.
  fileprivate static func read<Fields>(
    _ part: [UInt8], _ body: (JSONObject) throws(DecodingFlaw) -> Fields
  ) throws(TokenFault) -> Fields {
    var parser = JSONParser(maximumBytes: max(part.count, 1))
    do throws(DecodingFlaw) {
      return try parser.parse(part.span, body)
    } catch {
      throw TokenFault(error)
    }
  }
}

/// What counts in a token's header; other fields, such as `typ`, decide nothing.
struct TokenHeader {
  let algorithm: String
  let keyID: String?

  init(_ bytes: [UInt8]) throws(TokenFault) {
    let fields = try TokenParts.read(bytes) { object throws(DecodingFlaw) in
      (
        names: try object.uniqueNames(), algorithm: try object.string("alg", maximum: .max),
        keyID: try object.optionalString("kid", maximum: .max)
      )
    }
    guard !fields.names.contains("crit") else { throw .extensionRequired }
    (algorithm, keyID) = (fields.algorithm, fields.keyID)
  }
}

/// A token's claims as they were sent, each of its type and within its bounds.
struct TokenBody {
  let user: UserID
  let name: String?
  let groups: [String]
  let isAdministrator: Bool
  let expires: WallTime
  let start: WallTime?
  let issuer: String?
  /// `nil` if there is no `aud`.
  let audiences: [String]?

  init(_ bytes: [UInt8], within limits: Limits) throws(TokenFault) {
    self = try TokenParts.read(bytes) { object throws(DecodingFlaw) in
      try TokenBody(object, within: limits)
    }
  }

  private init(_ object: JSONObject, within limits: Limits) throws(DecodingFlaw) {
    _ = try object.uniqueNames()
    user = UserID(try object.value("sub").word(maximum: limits.identifierBytes))
    name = try object.optionalValue("name")?.word(maximum: limits.titleBytes)
    groups =
      try object.optionalArray("groups", maximum: .max)?.map { value throws(DecodingFlaw) in
        // One byte more than a group's identifier: the star.
        try value.word(maximum: limits.identifierBytes + 1)
      } ?? []
    isAdministrator = try object.optionalBool("admin") ?? false
    // Fractions are allowed (RFC 7519, 2); both ends are rounded to the shorter life.
    expires = WallTime(seconds: Int64(try object.double("exp", in: Self.times).rounded(.down)))
    start = try object.optionalDouble("nbf", in: Self.times).map {
      WallTime(seconds: Int64($0.rounded(.up)))
    }
    issuer = try object.optionalString("iss", maximum: .max)
    audiences = try object.optionalValue("aud")?.texts()
  }

  /// Until the year 9999; every number in it is exact.
  private static let times = 0...253_402_300_799.0
}

extension JSONValue {
  /// A text that is not empty and has no control characters.
  fileprivate func word(maximum: Int) throws(DecodingFlaw) -> String {
    let text = try string(maximum: maximum)
    guard !text.isEmpty, !text.hasControls else {
      throw outOfRange(allowed: "a text that is not empty and has no control characters")
    }
    return text
  }

  /// A text, or an array of texts (RFC 7519, 4.1.3).
  fileprivate func texts() throws(DecodingFlaw) -> [String] {
    guard type == .array else { return [try string(maximum: .max)] }
    return try array(maximum: .max).map { value throws(DecodingFlaw) in
      try value.string(maximum: .max)
    }
  }
}

extension TokenFault {
  fileprivate init(_ flaw: DecodingFlaw) {
    switch flaw {
    case .notJSON, .wrongType(field: "", _): self = .malformed
    case .outOfRange(field: "", _): self = .repeatedField
    case .missing(let field): self = .missing(claim: field)
    case .wrongType(let field, let expected):
      self = .invalid(claim: field, allowed: expected.phrase)
    case .outOfRange(let field, let allowed): self = .invalid(claim: field, allowed: allowed)
    case .tooLong(let field, let limit):
      self = .invalid(claim: field, allowed: "at most \(limit) bytes long")
    }
  }
}
