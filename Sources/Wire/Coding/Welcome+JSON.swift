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
    WireLimits.init, Part("lineBytes", \.lineBytes), Part("messagesPerSecond", \.messagesPerSecond),
    Part("messageBytes", \.messageBytes), Part("activityBytes", \.activityBytes),
    Part("heartbeatDeadline", \.heartbeatDeadline), Part("resumeGrace", \.resumeGrace))
}

extension Pong: Record {
  static let layout = Layout(
    Pong.init, Part("sent", \.sent), Part("heard", \.heard), Part("answered", \.answered))
}

extension StatusReport: Record {
  static let layout = Layout(
    StatusReport.init, Part("at", \.at), Part("peers", \.peers), Part("groups", \.groups),
    Part("sessions", \.sessions), Part("places", \.places),
    Part("audiences", \.audiences, absent: []), Part("usage", \.usage, absent: []),
    Part("servers", \.servers, absent: []), Part("names", \.names, absent: []),
    Part(.flag("moreNames"), \.hasMoreNames), Part(.flag("more"), \.hasMore))
}

extension StatusReport.Audience: Record {
  static let layout = Layout(
    StatusReport.Audience.init, Part("session", \.session), Part(.open, \.size))
}

extension StatusReport.Server: Record {
  static let layout = Layout(
    StatusReport.Server.init, Part("server", \.id),
    Part(.bounded("version", by: \.identifierBytes), \.version), Part("peers", \.peers),
    Part(.flag("decides"), \.decides), Part(.flag("draining"), \.isDraining))
}

extension StatusReport.Usage: Record {
  static let layout = Layout(
    StatusReport.Usage.init, Part(.bounded("limit", by: { _ in .max }), \.limit),
    Part("used", \.used), Part("most", \.most))
}

extension StatusReport.Name: Record {
  static let layout = Layout(
    StatusReport.Name.init, Part("user", \.user), Part(.flag("connected"), \.isConnected),
    Part(.flag("held"), \.isHeld))
}

extension StatusReport.Place: Record {
  static let layout = Layout(
    StatusReport.Place.init, Part("participant", \.participant), Part("offset", \.offset),
    Part("roundTrip", \.roundTrip))
}
