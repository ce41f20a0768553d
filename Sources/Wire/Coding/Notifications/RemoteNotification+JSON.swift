package import JSON
package import UserNotifications
import Vocabulary

extension RemoteNotification {
  /// Writes the fields into the object that is open.
  package func encodeFields(into writer: inout JSONWriter) {
    writer.field("notification", id)
    writer.field("at", date)
    if let collapseID { writer.field("collapseID", collapseID) }
    writer.field("expires", expires)
    writer.field("payload", payload)
  }

  /// Reads what ``encodeFields(into:)`` writes; of the payload, only that it is an object counts.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      id: try object.identifier("notification", within: .line),
      date: try object.instant("at", within: .line),
      payload: try NotificationPayload(decodingFieldOf: object),
      collapseID: try object.optionalString("collapseID", maximum: .max),
      expires: try object.optionalInstant("expires", within: .line))
  }
}

extension ListedNotification {
  func encodeFields(into writer: inout JSONWriter) {
    notification.encodeFields(into: &writer)
    writer.flag("new", isNew)
    writer.flag("putAway", isPutAway)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      try RemoteNotification(decoding: object), isNew: try object.flag("new"),
      isPutAway: try object.flag("putAway"))
  }
}

extension JSONObject {
  /// The notifications that are named in a field.
  package func notificationIDs() throws(DecodingFlaw) -> [NotificationID] {
    try notificationIDs(within: .line)
  }

  func notificationIDs(within bounds: FieldBounds) throws(DecodingFlaw) -> [NotificationID] {
    try array("notifications", maximum: bounds.notifications)
      .map { (id) throws(DecodingFlaw) -> NotificationID in
        try id.identifier(maximum: bounds.notificationBytes, within: bounds)
      }
  }
}

extension JSONWriter {
  /// Writes the field `notifications` with names.
  package mutating func notificationIDs(_ ids: [NotificationID]) {
    array("notifications") { writer in
      for id in ids { writer.string(id.text) }
    }
  }
}
