import JSON
import Vocabulary

extension Hello {
  func write(to writer: inout JSONWriter) {
    writer.begin(ClientLine.hello)
    writer.field("versions", versions)
    writer.field("user", user)
    writer.field("device", device)
    writer.field("name", name)
    features.encodeField(into: &writer)
    if let resume {
      writer.object("resume") { writer in
        writer.field("token", resume.token)
        writer.field("session", resume.session)
        writer.field("seq", resume.seq)
      }
    }
    writer.endObject()
  }

  /// Only `user` has to be there: a person with one device need not name it.
  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let user: UserID = try object.identifier("user", within: bounds)
    let device = try object.optionalIdentifier("device", within: bounds) ?? DeviceID(user.text)
    if Self.isReserved(user.text) { throw object.outOfRange("user", allowed: Self.unreserved) }
    if Self.isReserved(device.text) { throw object.outOfRange("device", allowed: Self.unreserved) }
    self.init(
      versions: try Self.versions(in: object),
      user: user,
      device: device,
      name: try object.optionalValue("name")?.word(maximum: bounds.titleBytes) ?? user.text,
      features: try Set(decodingFieldOf: object, within: bounds) ?? [.sessions],
      resume: try Resumption(decodingFieldOf: object, within: bounds))
  }

  private static let unreserved = "one that does not begin with \(reserved)"

  private static func versions(in object: JSONObject) throws(DecodingFlaw) -> [Int] {
    guard let array = try object.optionalArray("versions", maximum: FieldBounds.versions) else {
      return [ProtocolVersion.current]
    }
    return try array.map { (value) throws(DecodingFlaw) in
      Int(try value.int64(in: FieldBounds.exactIntegers))
    }
  }
}

extension Resumption {
  fileprivate init?(
    decodingFieldOf object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    guard let resume = try object.optionalObject("resume") else { return nil }
    self.init(
      token: try resume.word("token", maximum: bounds.identifierBytes),
      session: try resume.optionalIdentifier("session", within: bounds),
      seq: try resume.optionalCount("seq"))
  }
}

extension Set<Feature> {
  func encodeField(into writer: inout JSONWriter) {
    writer.field("features", map(\.text).sorted())
  }

  init?(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let array = try object.optionalArray("features", maximum: FieldBounds.words) else {
      return nil
    }
    let features = try array.map { (value) throws(DecodingFlaw) in
      Feature(try value.word(maximum: bounds.identifierBytes))
    }
    self.init(features)
  }
}
