import JSON
import Vocabulary

extension Welcome {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("version", version)
    writer.field("server", server)
    writer.field("device", device)
    writer.field("token", token)
    writer.field("resumed", isResumed)
    writer.field("at", at)
    features.encodeField(into: &writer)
    writer.object("limits") { limits.encodeFields(into: &$0) }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      version: try object.count("version"),
      server: try object.string("server", maximum: .max),
      device: try object.identifier("device", within: .line),
      token: try object.word("token", maximum: .max),
      isResumed: try object.bool("resumed"),
      at: try object.instant("at", within: .line),
      features: try Set(decodingFieldOf: object, within: .line) ?? [],
      limits: try WireLimits(decoding: object.object("limits")))
  }
}

extension WireLimits {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("lineBytes", lineBytes)
    writer.field("messagesPerSecond", messagesPerSecond)
    writer.field("messageBytes", messageBytes)
    writer.field("activityBytes", activityBytes)
    writer.field("heartbeatDeadline", heartbeatDeadline)
    writer.field("resumeGrace", resumeGrace)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      lineBytes: try object.count("lineBytes"),
      messagesPerSecond: try object.count("messagesPerSecond"),
      messageBytes: try object.count("messageBytes"),
      activityBytes: try object.count("activityBytes"),
      heartbeatDeadline: try object.duration("heartbeatDeadline", within: .line),
      resumeGrace: try object.duration("resumeGrace", within: .line))
  }
}

extension Pong {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("sent", sent)
    writer.field("heard", heard)
    writer.field("answered", answered)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      sent: HostTime(microseconds: try object.int64("sent")),
      heard: try object.instant("heard", within: .line),
      answered: try object.instant("answered", within: .line))
  }
}
