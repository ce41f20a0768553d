import GroupSessions
import InAppMessaging
package import JSON
import UserNotifications
import Vocabulary

extension ServerMessage: JSONWritable {
  /// Writes the message as one object.
  package func write(to writer: inout JSONWriter) {
    if case .unreadableMessage(let message) = self { return message.line.write(to: &writer) }
    writer.begin(type)
    encodeFields(into: &writer)
    writer.endObject()
  }

  /// How the message's type is spelled.
  package var type: ServerMessageType {
    switch self {
    case .welcome: .welcome
    case .pong: .pong
    case .answer: .ok
    case .error: .error
    case .unknownError(_, let error): error.isLast ? .closing : .error
    case .eligibility: .eligibility
    case .group: .group
    case .groupEvent: .groupEvent
    case .offer: .offer
    case .offerWithdrawn: .offerWithdrawn
    case .activityNotice: .activityNotice
    case .snapshot: .snapshot
    case .event: .event
    case .itemMismatch: .itemMismatch
    case .withheld: .withheld
    case .sessionOver: .sessionOver
    case .sessionLeft: .sessionLeft
    case .message: .message
    case .inAppMessage, .unreadableMessage: .inAppMessage
    case .messageRevoked: .messageRevoked
    case .explanation: .explanation
    case .notification: .notification
    case .notifications: .notifications
    case .notificationsRevoked: .notificationsRevoked
    case .objectState: .objectState
    case .closing: .closing
    case .status: .status
    }
  }

  private func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .welcome(let welcome): welcome.encodeFields(into: &writer)
    case .pong(let pong): pong.encodeFields(into: &writer)
    case .answer(let id, let answer):
      writer.field("id", id)
      answer.encodeFields(into: &writer)
    case .error(let id, let error):
      writer.field("id", id)
      error.encodeFields(into: &writer)
    case .unknownError(let id, let error):
      writer.field("id", id)
      error.encodeFields(into: &writer)
    case .eligibility(let eligibility): eligibility.encodeFields(into: &writer)
    case .group(let group): group.encodeFields(into: &writer)
    case .groupEvent(let group, let seq, let at, let event):
      writer.field("group", group)
      writer.field("seq", seq)
      writer.field("at", at)
      event.encodeFields(into: &writer)
    case .offer(let offer): offer.encodeFields(into: &writer)
    case .offerWithdrawn(let session, let reason):
      writer.field("session", session)
      reason.encodeFields(into: &writer)
    case .activityNotice(let notice): notice.encodeFields(into: &writer)
    case .snapshot(let snapshot): snapshot.encodeFields(into: &writer)
    case .event(let session, let seq, let at, let event):
      writer.field("session", session)
      writer.field("seq", seq)
      writer.field("at", at)
      event.encodeFields(into: &writer)
    case .itemMismatch(let session, let item, let others):
      writer.field("session", session)
      writer.field("item", item)
      writer.field("others", others)
    case .withheld(let session, let seq):
      writer.field("session", session)
      writer.field("seq", seq)
    case .sessionOver(let session, let reason):
      writer.field("session", session)
      reason.encodeFields(into: &writer)
    case .sessionLeft(let session, let reason):
      writer.field("session", session)
      reason.encodeFields(into: &writer)
    case .message(let session, let source, let payload):
      writer.field("session", session)
      writer.field("from", source)
      writer.payload(payload)
    case .inAppMessage(let delivery): delivery.encodeFields(into: &writer)
    case .unreadableMessage: break
    case .messageRevoked(let revocation): revocation.encodeFields(into: &writer)
    case .explanation(let id, let explanations):
      writer.field("id", id)
      writer.array("campaigns") { writer in
        for explanation in explanations { explanation.write(to: &writer) }
      }
    case .notification(let notification): notification.encodeFields(into: &writer)
    case .notifications(let notifications):
      writer.array("notifications") { writer in
        for notification in notifications {
          writer.object { notification.encodeFields(into: &$0) }
        }
      }
    case .notificationsRevoked(let ids): writer.notificationIDs(ids)
    case .objectState(let id, let object, let version, let fields):
      writer.field("id", id)
      object.encodeFields(into: &writer)
      writer.field("version", version)
      writer.payloadFields("fields", fields)
    case .closing(let error): error.encodeFields(into: &writer)
    case .status(let id, let report):
      writer.field("id", id)
      report.encodeFields(into: &writer)
    }
  }
}

// MARK: Reading

extension ServerMessage {
  /// Reads a message of a type; what a server says is bounded by its line's length alone.
  ///
  /// - Throws: what is wrong with a field, its way included.
  package init(
    _ type: ServerMessageType, decoding object: JSONObject
  ) throws(DecodingFlaw) {
    switch type {
    case .welcome: self = .welcome(try Welcome(decoding: object))
    case .pong: self = .pong(try Pong(decoding: object))
    case .ok: self = .answer(try object.requestID(), try Answer(decoding: object))
    case .error:
      let id = try object.optionalInt64("id", in: FieldBounds.exactIntegers)
      if let unknown = try UnknownError(decoding: object, isLast: false) {
        self = .unknownError(id, unknown)
      } else {
        self = .error(id, try ProtocolError(decoding: object))
      }
    case .eligibility: self = .eligibility(try Eligibility(decoding: object))
    case .group: self = .group(try Group(decoding: object))
    case .groupEvent:
      self = .groupEvent(
        try object.identifier("group", within: .line), seq: try object.count("seq"),
        at: try object.instant("at", within: .line), try GroupEvent(decoding: object))
    case .offer: self = .offer(try Offer(decoding: object))
    case .offerWithdrawn:
      self = .offerWithdrawn(try object.session(), try OfferWithdrawal(decoding: object))
    case .activityNotice: self = .activityNotice(try ActivityNotice(decoding: object))
    case .snapshot: self = .snapshot(try SessionSnapshot(decoding: object))
    case .event:
      self = .event(
        try object.session(), seq: try object.count("seq"),
        at: try object.instant("at", within: .line), try SessionEvent(decoding: object))
    case .itemMismatch:
      self = .itemMismatch(
        try object.session(), item: try object.item(within: .line),
        others: try object.item("others", within: .line))
    case .withheld: self = .withheld(try object.session(), seq: try object.count("seq"))
    case .sessionOver: self = .sessionOver(try object.session(), try EndReason(decoding: object))
    case .sessionLeft: self = .sessionLeft(try object.session(), try LeaveReason(decoding: object))
    case .message:
      self = .message(
        try object.session(), from: try object.identifier("from", within: .line),
        try object.payload(maximum: .max))
    case .inAppMessage: self = try Self.delivery(decoding: object)
    case .messageRevoked: self = .messageRevoked(try MessageRevocation(decoding: object))
    case .explanation:
      let explanations = try object.array("campaigns", maximum: .max)
        .map { (value) throws(DecodingFlaw) in try Explanation(decoding: value.object()) }
      self = .explanation(try object.requestID(), explanations)
    case .notification: self = .notification(try RemoteNotification(decoding: object))
    case .notifications:
      let notifications = try object.array("notifications", maximum: .max)
        .map { (value) throws(DecodingFlaw) in try ListedNotification(decoding: value.object()) }
      self = .notifications(notifications)
    case .notificationsRevoked: self = .notificationsRevoked(try object.notificationIDs())
    case .objectState:
      self = .objectState(
        try object.requestID(), try SessionObject(decoding: object, within: .line),
        version: try object.int64("version", in: FieldBounds.exactIntegers),
        try object.payloadFields("fields"))
    case .closing:
      if let unknown = try UnknownError(decoding: object, isLast: true) {
        self = .unknownError(nil, unknown)
      } else {
        self = .closing(try ProtocolError(decoding: object))
      }
    case .status: self = .status(try object.requestID(), try StatusReport(decoding: object))
    }
  }
}

extension JSONObject {
  fileprivate func session() throws(DecodingFlaw) -> SessionID {
    try identifier("session", within: .line)
  }
}
