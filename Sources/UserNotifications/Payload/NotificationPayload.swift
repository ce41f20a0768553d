public import Vocabulary

/// The JSON object that travels as a notification: `aps`, which every app understands alike, and
/// fields of the app's own beside it.
///
/// Reading never fails: a field of the wrong type is as good as none, for a push cannot be asked
/// again. Sources: Apple, "Generating a remote notification"; Kii, "Push Message Payload".
public struct NotificationPayload: Hashable, Sendable {
  /// What is shown; `nil` shows nothing.
  public var alert: Alert?
  /// The number on the app's icon; 0 clears it.
  public var badge: Int?
  /// What is heard.
  public var sound: NotificationSound?
  /// Notifications of the same thread stand together.
  public var threadID: String?
  /// Which category's actions it offers.
  public var categoryID: String?
  /// Whether the app is to fetch something, also in the background.
  public var isContentAvailable: Bool
  /// Whether the app may change it before it is shown.
  public var isMutable: Bool
  /// Which of the app's windows it belongs to.
  public var targetContentID: String?
  /// How much it may disturb; `nil` is as usual.
  public var interruptionLevel: InterruptionLevel?
  /// Which of many to show first, 0 … 1.
  public var relevanceScore: Double?
  /// Fields of `aps` that are not known here, carried through.
  public var otherFields: [String: PayloadValue]
  /// What travels beside `aps`.
  public var custom: [String: PayloadValue]

  /// A payload that shows a text, or nothing.
  public init(_ alert: Alert? = nil, custom: [String: PayloadValue] = [:]) {
    self.alert = alert
    self.custom = custom
    self.custom["aps"] = nil
    isContentAvailable = false
    isMutable = false
    otherFields = [:]
  }

  /// A silent payload, by which an app is told something and its user nothing.
  public static func silent(_ custom: [String: PayloadValue]) -> NotificationPayload {
    var payload = NotificationPayload(custom: custom)
    payload.isContentAvailable = true
    return payload
  }

  /// Whether its user is to notice it: something is shown, heard, or counted.
  public var isForUser: Bool { alert != nil || sound != nil || badge != nil }

  /// Whether it is for the app alone.
  public var isSilent: Bool { isContentAvailable && !isForUser }

  /// The notifications that this one takes back, on all devices of a person: `revoke`.
  public var revokes: [NotificationID] {
    (custom["revoke"]?.list ?? []).compactMap(\.string).map(NotificationID.init)
  }
}

// MARK: Size

extension NotificationPayload {
  /// How many bytes it takes as minified JSON.
  public var jsonByteCount: Int { PayloadValue.dictionary(fields).jsonByteCount }

  /// The most bytes of JSON that Apple's push service takes.
  public static let byteLimit = 4_096

  /// Makes sure that a payload can travel.
  ///
  /// - Parameter limit: the most bytes of JSON; what travels otherwise may be shorter or longer.
  public func check(limit: Int = byteLimit) throws(PayloadFault) {
    let count = jsonByteCount
    guard count <= limit else { throw .tooLarge(bytes: count, limit: limit) }
  }
}

/// Why a payload cannot travel.
public enum PayloadFault: Error, Hashable, Sendable {
  /// Its JSON has more bytes than a push can have; send less, and let the app fetch the rest.
  case tooLarge(bytes: Int, limit: Int)
  /// A message to a topic has an object or a list of objects in this field; write it flat.
  case nested(field: String)
  /// A field of the sender's own has a name that the payload itself needs; name it otherwise.
  case reserved(field: String)
}
