import GroupSessions
import JSON
import Vocabulary

extension Welcome: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("version", version)
    writer.field("server", server)
    writer.field("device", device)
    writer.field("token", token)
    writer.field("resumed", isResumed)
    writer.field("at", at)
    writer.field("access", word: access)
    writer.flag("unproved", !isProved)
    features.encodeField(into: &writer)
    writer.field("limits", limits)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      version: try object.count("version"),
      server: try object.string("server", maximum: .max),
      device: try object.identifier("device", within: bounds),
      token: try object.word("token", maximum: .max),
      isResumed: try object.bool("resumed"),
      at: try object.instant("at", within: bounds),
      access: try object.optionalChoice("access") ?? .open,
      isProved: try !object.flag("unproved"),
      features: try Set(decodingFieldOf: object, within: bounds) ?? [],
      limits: try WireLimits.read("limits", of: object, within: bounds))
  }
}

extension WireLimits: Record {
  static let layout = Layout(
    WireLimits.init, RecordField("lineBytes", \.lineBytes),
    RecordField("messagesPerSecond", \.messagesPerSecond),
    RecordField("messageBytes", \.messageBytes), RecordField("activityBytes", \.activityBytes),
    RecordField("heartbeatDeadline", \.heartbeatDeadline), RecordField("resumeGrace", \.resumeGrace)
  )
}

extension Pong: Record {
  static let layout = Layout(
    Pong.init, RecordField("sent", \.sent), RecordField("heard", \.heard),
    RecordField("answered", \.answered))
}

extension StatusReport: Record {
  static let layout = Layout(
    StatusReport.init, RecordField("at", \.at), RecordField("peers", \.peers),
    RecordField(.bounded("obstacle", by: { _ in .max }), \.obstacle),
    RecordField("groups", \.groups),
    RecordField("sessions", \.sessions), RecordField("places", \.places),
    RecordField("audiences", \.audiences, absent: []), RecordField("usage", \.usage, absent: []),
    RecordField("servers", \.servers, absent: []), RecordField("names", \.names, absent: []),
    RecordField(.flag("moreNames"), \.hasMoreNames), RecordField(.flag("more"), \.hasMore))
}

extension StatusReport.Audience: Record {
  static let layout = Layout(
    StatusReport.Audience.init, RecordField("session", \.session), RecordField(.open, \.size))
}

extension StatusReport.Server: Record {
  static let layout = Layout(
    StatusReport.Server.init, RecordField("server", \.id),
    RecordField(.bounded("version", by: \.identifierBytes), \.version),
    RecordField("peers", \.peers),
    RecordField(.flag("decides"), \.decides), RecordField(.flag("draining"), \.isDraining))
}

extension StatusReport.Usage: Record {
  static let layout = Layout(
    StatusReport.Usage.init, RecordField(.bounded("limit", by: { _ in .max }), \.limit),
    RecordField("used", \.used), RecordField("most", \.most))
}

extension StatusReport.Name: Record {
  static let layout = Layout(
    StatusReport.Name.init, RecordField("user", \.user),
    RecordField(.flag("connected"), \.isConnected),
    RecordField(.flag("held"), \.isHeld))
}

extension StatusReport.Place: Record {
  static let layout = Layout(
    StatusReport.Place.init, RecordField("participant", \.participant),
    RecordField("offset", \.offset),
    RecordField("roundTrip", \.roundTrip))
}
