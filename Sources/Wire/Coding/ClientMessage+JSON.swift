import GroupSessions
package import JSON
import Vocabulary

extension ClientMessage: JSONWritable, Tagged {
  static let tag = "type"

  static let cases: CaseTable<ClientMessage> = {
    var cases = CaseTable(Cases.hello, Cases.ping, Cases.report, Cases.droppable)
    cases.insert(Request.cases) { (request, object, _) throws(DecodingFlaw) in
      .request(try object.requestID(), request)
    }
    // Without a token, an answer is a request with the same name.
    let requests = cases
    cases.insert(Cases.answer.name) { (object, bounds) throws(DecodingFlaw) in
      if !object.has("token"), let read = requests[Cases.answer.name] {
        return try read(object, bounds)
      }
      for name in ["session", "seq"] where object.has(name) {
        throw object.outOfRange(name, allowed: "left out where there is `token`")
      }
      return try Cases.answer.read(object, bounds)
    }
    return cases
  }()

  private enum Cases {
    static let hello = Case("hello", ClientMessage.hello, .open)
    static let ping = Case("ping", ClientMessage.ping, .open)
    static let report = Case("report", ClientMessage.report, .open)
    static let droppable = Case("message", ClientMessage.droppable, .open)
    static let answer = Case(
      "answerInvitation", ClientMessage.answerInvitation, "id",
      .bounded("token", by: \.tokenBytes), "answer")
  }

  /// The spellings of `type`.
  package static var types: [String] { cases.names }

  /// Writes the message as one object.
  package func write(to writer: inout JSONWriter) {
    if case .request(let id, let request) = self { return request.write(id, to: &writer) }
    writer.beginObject()
    switch self {
    case .hello(let hello): Cases.hello.write(hello, to: &writer)
    case .ping(let ping): Cases.ping.write(ping, to: &writer)
    case .request: break
    case .answerInvitation(let id, let token, let answer):
      Cases.answer.write((id, token, answer), to: &writer)
    case .report(let report): Cases.report.write(report, to: &writer)
    case .droppable(let message): Cases.droppable.write(message, to: &writer)
    }
    writer.endObject()
  }
}

extension Hello: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("versions", versions)
    writer.field("user", user)
    writer.field("device", device)
    writer.field("name", name)
    features.encodeField(into: &writer)
    writer.field("resume", resume)
    writer.field("credential", credential)
    writer.field("code", code)
    writer.field("administratorKey", administratorKey)
  }

  /// Only `user` is required: a person with one device need not name it.
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
      resume: try Resumption.optional("resume", of: object, within: bounds),
      credential: try object.optionalValue("credential")?.word(maximum: bounds.credentialBytes),
      code: try object.optionalValue("code")?.word(maximum: bounds.identifierBytes),
      administratorKey: try object.optionalValue("administratorKey")?
        .word(maximum: bounds.keyBytes))
  }

  private static let unreserved =
    "one that does not begin with \(reserved), and is not \(administrator)"

  private static func versions(in object: JSONObject) throws(DecodingFlaw) -> [Int] {
    guard let array = try object.optionalArray("versions", maximum: FieldBounds.versions) else {
      return [ProtocolVersion.current]
    }
    return try array.map { (value) throws(DecodingFlaw) in
      Int(try value.int64(in: FieldBounds.exactIntegers))
    }
  }
}

extension Resumption: Record {
  static let layout = Layout(
    Resumption.init, RecordField(.bounded("token", by: \.identifierBytes), \.token),
    RecordField("session", \.session), RecordField("seq", \.seq))
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

extension Ping: Record {
  static let layout = Layout(
    Ping.init, RecordField("sent", \.sent), RecordField("roundTrip", \.roundTrip))
}

extension PositionReport: Record {
  static let layout = Layout(
    PositionReport.init, RecordField(.item, \.item), RecordField("mediaTime", \.mediaTime),
    RecordField("at", \.at),
    RecordField("playing", \.isPlaying))
}

extension DroppableMessage: Record {
  static let layout = Layout(
    DroppableMessage.init, RecordField("session", \.session), RecordField(.payload, \.payload),
    RecordField("to", \.recipients))
}
