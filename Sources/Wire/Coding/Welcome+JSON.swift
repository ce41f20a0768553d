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

extension WireLimits: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("lineBytes", lineBytes)
    writer.field("messagesPerSecond", messagesPerSecond)
    writer.field("messageBytes", messageBytes)
    writer.field("activityBytes", activityBytes)
    writer.field("heartbeatDeadline", heartbeatDeadline)
    writer.field("resumeGrace", resumeGrace)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      lineBytes: try object.count("lineBytes"),
      messagesPerSecond: try object.count("messagesPerSecond"),
      messageBytes: try object.count("messageBytes"),
      activityBytes: try object.count("activityBytes"),
      heartbeatDeadline: try object.duration("heartbeatDeadline", within: bounds),
      resumeGrace: try object.duration("resumeGrace", within: bounds))
  }
}

extension Pong: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("sent", sent)
    writer.field("heard", heard)
    writer.field("answered", answered)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      sent: HostTime(microseconds: try object.int64("sent")),
      heard: try object.instant("heard", within: bounds),
      answered: try object.instant("answered", within: bounds))
  }
}

extension StatusReport: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("at", at)
    writer.field("peers", peers)
    groups.write("groups", to: &writer)
    sessions.write("sessions", to: &writer)
    writer.field("places", places)
    writer.list("audiences", audiences)
    writer.list("usage", usage)
    writer.list("servers", servers)
    writer.list("names", names)
    writer.flag("moreNames", hasMoreNames)
    writer.flag("more", hasMore)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      at: try object.instant("at", within: bounds),
      peers: try object.count("peers"),
      groups: try object.list("groups", within: bounds),
      sessions: try object.list("sessions", within: bounds),
      places: try object.list("places", within: bounds),
      audiences: try object.optionalList("audiences", within: bounds),
      usage: try object.optionalList("usage", within: bounds),
      servers: try object.optionalList("servers", within: bounds),
      names: try object.optionalList("names", within: bounds),
      hasMoreNames: try object.flag("moreNames"),
      hasMore: try object.flag("more"))
  }
}

extension StatusReport.Audience: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", session)
    size.encodeFields(into: &writer)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      try object.identifier("session", within: bounds),
      try AudienceSize(decoding: object, within: bounds))
  }
}

extension StatusReport.Server: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("server", id)
    writer.field("version", version)
    writer.field("peers", peers)
    writer.flag("decides", decides)
    writer.flag("draining", isDraining)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      try object.identifier("server", within: bounds),
      version: try object.word("version", maximum: bounds.identifierBytes),
      peers: try object.count("peers"), decides: try object.flag("decides"),
      isDraining: try object.flag("draining"))
  }
}

extension StatusReport.Usage: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("limit", limit)
    writer.field("used", used)
    writer.field("most", most)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      try object.word("limit", maximum: .max), used: try object.count("used"),
      most: try object.count("most"))
  }
}

extension StatusReport.Name: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("user", user)
    writer.flag("connected", isConnected)
    writer.flag("held", isHeld)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      try object.identifier("user", within: bounds), isConnected: try object.flag("connected"),
      isHeld: try object.flag("held"))
  }
}

extension StatusReport.Place: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("participant", participant)
    writer.field("offset", offset)
    writer.field("roundTrip", roundTrip)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      participant: try object.identifier("participant", within: bounds),
      offset: try object.duration("offset", within: bounds),
      roundTrip: try object.optionalDuration("roundTrip", within: bounds))
  }
}
