import GroupSessions
package import JSON
import Playback
import Vocabulary

extension ClientMessage: JSONWritable {
  /// Writes the message as one object.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .hello(let hello): hello.write(to: &writer)
    case .ping(let ping): ping.write(to: &writer)
    case .request(let id, let request): request.write(id, to: &writer)
    case .answerInvitation(let id, let token, let answer):
      Self.writeAnswer(id, token: token, answer, to: &writer)
    case .report(let report): report.write(to: &writer)
    case .droppable(let message): message.write(to: &writer)
    }
  }

  /// Reads a message of a type.
  ///
  /// - Throws: what is wrong with a field, its way included.
  package init(
    _ type: ClientMessageType, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch type {
    case .line(let line): self = try Self.line(line, object, bounds)
    case .group(let verb):
      self = try .request(object.requestID(), Request(verb, decoding: object, within: bounds))
    case .session(let verb):
      self = try .request(object.requestID(), Request(verb, decoding: object, within: bounds))
    case .participant(let verb):
      self = try .request(object.requestID(), Request(verb, decoding: object, within: bounds))
    case .playback(let verb):
      let command = try PlaybackCommand(verb, decoding: object, within: bounds)
      self = try .request(
        object.requestID(),
        .playback(object.optionalIdentifier("session", within: bounds), command))
    case .queue(let verb):
      let command = try QueueCommand(verb, decoding: object, within: bounds)
      self = try .request(
        object.requestID(), .queue(object.optionalIdentifier("session", within: bounds), command))
    case .messaging(let verb):
      let request = try MessagingRequest(verb, decoding: object, within: bounds)
      self = try .request(object.requestID(), .messaging(request))
    case .invitation(let verb): self = try Self.invitation(verb, object, bounds)
    case .notification(let verb):
      let request = try TrayRequest(verb, decoding: object, within: bounds)
      self = try .request(object.requestID(), .notifications(request))
    }
  }

  private static func line(
    _ line: ClientLine, _ object: JSONObject, _ bounds: FieldBounds
  ) throws(DecodingFlaw) -> ClientMessage {
    switch line {
    case .hello: .hello(try Hello(decoding: object, within: bounds))
    case .ping: .ping(try Ping(decoding: object, within: bounds))
    case .report: .report(try PositionReport(decoding: object, within: bounds))
    case .message: .droppable(try DroppableMessage(decoding: object, within: bounds))
    }
  }
}

extension Ping {
  func write(to writer: inout JSONWriter) {
    writer.begin(ClientLine.ping)
    writer.field("sent", sent)
    writer.field("roundTrip", roundTrip)
    writer.endObject()
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      sent: HostTime(microseconds: try object.int64("sent")),
      roundTrip: try object.optionalDuration("roundTrip", within: bounds))
  }
}

extension PositionReport {
  func write(to writer: inout JSONWriter) {
    writer.begin(ClientLine.report)
    writer.field("item", item)
    writer.field("mediaTime", mediaTime)
    writer.field("at", at)
    writer.field("playing", isPlaying)
    writer.endObject()
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      item: try object.item(within: bounds),
      mediaTime: try object.mediaTime(within: bounds),
      at: try object.instant("at", within: bounds),
      isPlaying: try object.bool("playing"))
  }
}

extension DroppableMessage {
  func write(to writer: inout JSONWriter) {
    writer.begin(ClientLine.message)
    writer.field("session", session)
    writer.payload(payload)
    recipients.encodeField(into: &writer)
    writer.endObject()
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      session: try object.optionalIdentifier("session", within: bounds),
      payload: try object.payload(maximum: bounds.messageBytes),
      recipients: try Recipients(decodingFieldOf: object, within: bounds))
  }
}
