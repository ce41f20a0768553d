import GroupSessions
import InAppMessaging
package import JSON
import UserNotifications
import Vocabulary

extension ServerMessage: JSONWritable, Tagged, Fields {
  static let tag = "type"

  static let cases = CaseTable<ServerMessage>(
    Cases.welcome, Cases.pong, Cases.answer, Cases.error, Cases.eligibility, Cases.group,
    Cases.groupEvent, Cases.groupKey, Cases.pairingAsked, Cases.offer, Cases.offerWithdrawn,
    Cases.activityNotice, Cases.snapshot,
    Cases.event, Cases.itemMismatch, Cases.withheld, Cases.audience, Cases.sessionOver,
    Cases.sessionLeft,
    Cases.message, Cases.inAppMessage, Cases.messageRevoked, Cases.explanation,
    Cases.notification, Cases.notifications, Cases.notificationsRevoked, Cases.objectState,
    Cases.credentialExpires, Cases.closing, Cases.status)

  private enum Cases {
    static let welcome = Case("welcome", ServerMessage.welcome, .open)
    static let pong = Case("pong", ServerMessage.pong, .open)
    static let answer = Case("ok", ServerMessage.answer, "id", .open)
    static let error = Case("error", { $1.message(for: $0) }, "id", Field<SentError>.open)
    static let eligibility = Case("eligibility", ServerMessage.eligibility, .open)
    static let group = Case("group", ServerMessage.group, .open)
    static let groupEvent = Case(
      "groupEvent", ServerMessage.groupEvent, "group", "seq", "at", .open)
    static let groupKey = Case("groupKey", ServerMessage.groupKey, "group", "key")
    static let pairingAsked = Case("pairingAsked", ServerMessage.pairingAsked, "name")
    static let offer = Case("offer", ServerMessage.offer, .open)
    static let offerWithdrawn = Case(
      "offerWithdrawn", ServerMessage.offerWithdrawn, "session", .open)
    static let activityNotice = Case("activityNotice", ServerMessage.activityNotice, .open)
    static let snapshot = Case(SessionSnapshot.type, ServerMessage.snapshot, .open)
    static let event = Case("event", ServerMessage.event, "session", "seq", "at", .open)
    static let itemMismatch = Case(
      "itemMismatch", ServerMessage.itemMismatch, "session", .item, .item("others"))
    static let withheld = Case("withheld", ServerMessage.withheld, "session", "seq")
    static let audience = Case("audience", ServerMessage.audience, "session", .open)
    static let sessionOver = Case("sessionOver", ServerMessage.sessionOver, "session", .open)
    static let sessionLeft = Case("sessionLeft", ServerMessage.sessionLeft, "session", .open)
    static let message = Case("message", ServerMessage.message, "session", "from", .payload)
    static let inAppMessage = Case("inAppMessage", { $0.message }, Field<SentDelivery>.open)
    static let messageRevoked = Case("messageRevoked", ServerMessage.messageRevoked, .open)
    static let explanation = Case("explanation", ServerMessage.explanation, "id", "campaigns")
    static let notification = Case("notification", ServerMessage.notification, .open)
    static let notifications = Case(
      "notifications", ServerMessage.notifications, "notifications")
    static let notificationsRevoked = Case(
      "notificationsRevoked", ServerMessage.notificationsRevoked, "notifications")
    static let objectState = Case(
      "objectState", ServerMessage.objectState, "id", .open, "version", "fields")
    static let credentialExpires = Case(
      "credentialExpires", ServerMessage.credentialExpires, "at")
    static let closing = Case("closing", { $0.lastMessage }, Field<SentError>.open)
    static let status = Case("status", ServerMessage.status, "id", .open)
  }

  /// The spellings of `type`.
  package static var types: [String] { cases.names }

  /// Writes the message as one object.
  package func write(to writer: inout JSONWriter) {
    if case .unreadableMessage(let message) = self {
      message.line.write(to: &writer)
    } else {
      put(to: &writer)
    }
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .welcome(let welcome): Cases.welcome.write(welcome, to: &writer)
    case .pong(let pong): Cases.pong.write(pong, to: &writer)
    case .answer(let id, let answer): Cases.answer.write((id, answer), to: &writer)
    case .error(let id, let error): Cases.error.write((id, .known(error)), to: &writer)
    case .unknownError(let id, let error):
      if error.isLast {
        Cases.closing.write(.unknown(error), to: &writer)
      } else {
        Cases.error.write((id, .unknown(error)), to: &writer)
      }
    case .eligibility(let eligibility): Cases.eligibility.write(eligibility, to: &writer)
    case .group(let group): Cases.group.write(group, to: &writer)
    case .groupEvent(let group, let seq, let at, let event):
      Cases.groupEvent.write((group, seq, at, event), to: &writer)
    case .groupKey(let group, let key): Cases.groupKey.write((group, key), to: &writer)
    case .pairingAsked(let name): Cases.pairingAsked.write(name, to: &writer)
    case .offer(let offer): Cases.offer.write(offer, to: &writer)
    case .offerWithdrawn(let session, let reason):
      Cases.offerWithdrawn.write((session, reason), to: &writer)
    case .activityNotice(let notice): Cases.activityNotice.write(notice, to: &writer)
    case .snapshot(let snapshot): Cases.snapshot.write(snapshot, to: &writer)
    case .event(let session, let seq, let at, let event):
      Cases.event.write((session, seq, at, event), to: &writer)
    case .itemMismatch(let session, let item, let others):
      Cases.itemMismatch.write((session, item, others), to: &writer)
    case .withheld(let session, let seq): Cases.withheld.write((session, seq), to: &writer)
    case .audience(let session, let size): Cases.audience.write((session, size), to: &writer)
    case .sessionOver(let session, let reason):
      Cases.sessionOver.write((session, reason), to: &writer)
    case .sessionLeft(let session, let reason):
      Cases.sessionLeft.write((session, reason), to: &writer)
    case .message(let session, let source, let payload):
      Cases.message.write((session, source, payload), to: &writer)
    case .inAppMessage(let delivery): Cases.inAppMessage.write(.readable(delivery), to: &writer)
    case .unreadableMessage(let message):
      Cases.inAppMessage.write(.unreadable(message), to: &writer)
    case .messageRevoked(let revocation): Cases.messageRevoked.write(revocation, to: &writer)
    case .explanation(let id, let explanations):
      Cases.explanation.write((id, explanations), to: &writer)
    case .notification(let notification): Cases.notification.write(notification, to: &writer)
    case .notifications(let notifications):
      Cases.notifications.write(notifications, to: &writer)
    case .notificationsRevoked(let ids): Cases.notificationsRevoked.write(ids, to: &writer)
    case .objectState(let id, let object, let version, let fields):
      Cases.objectState.write((id, object, version, fields), to: &writer)
    case .credentialExpires(let at): Cases.credentialExpires.write(at, to: &writer)
    case .closing(let error): Cases.closing.write(.known(error), to: &writer)
    case .status(let id, let report): Cases.status.write((id, report), to: &writer)
    }
  }
}

/// An error whose code this version may or may not know.
private enum SentError: Fields {
  case known(ProtocolError)
  case unknown(UnknownError)

  func message(for request: RequestID?) -> ServerMessage {
    switch self {
    case .known(let error): .error(request, error)
    case .unknown(let error): .unknownError(request, error)
    }
  }

  /// The message for an error that is the last one of a connection.
  var lastMessage: ServerMessage {
    switch self {
    case .known(let error): return .closing(error)
    case .unknown(var error):
      error.isLast = true
      return .unknownError(nil, error)
    }
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .known(let error): error.encodeFields(into: &writer)
    case .unknown(let error): error.encodeFields(into: &writer)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    if let unknown = try UnknownError(decoding: object) {
      self = .unknown(unknown)
    } else {
      self = .known(try ProtocolError(decoding: object, within: bounds))
    }
  }
}

/// A delivery that this version may or may not be able to show.
private enum SentDelivery: Fields {
  case readable(MessageDelivery)
  case unreadable(UnreadableMessage)

  var message: ServerMessage {
    switch self {
    case .readable(let delivery): .inAppMessage(delivery)
    case .unreadable(let message): .unreadableMessage(message)
    }
  }

  /// Writes the fields; an unreadable delivery is written as its original line, see
  /// ``ServerMessage``.
  func encodeFields(into writer: inout JSONWriter) {
    if case .readable(let delivery) = self { delivery.encodeFields(into: &writer) }
  }

  /// Reads a delivery; a flaw of the message itself makes it an unreadable delivery instead of an
  /// error.
  ///
  /// - Throws: what is wrong with the delivery's identifier, which a report about it would need.
  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let id: MessageID = try object.identifier("message", within: bounds)
    do throws(DecodingFlaw) {
      self = .readable(try MessageDelivery(decoding: object, within: bounds))
    } catch {
      self = .unreadable(
        UnreadableMessage(
          id, line: try object.rawJSON(maximum: .max), error: ProtocolError(error)))
    }
  }
}
