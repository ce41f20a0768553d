public import Vocabulary

/// The JSON object of a notification: `aps`, which every app understands alike, and the app's own
/// fields beside it.
///
/// Decoding never fails: a field of the wrong type is treated as absent, because a push cannot be
/// requested again. Sources: Apple, "Generating a remote notification"; Kii, "Push Message
/// Payload".
public struct NotificationPayload: Hashable, Sendable {
  /// What is shown; `nil` shows nothing.
  public var alert: Alert?
  /// The number on the app's icon; 0 clears it.
  public var badge: Int?
  /// The sound.
  public var sound: NotificationSound?
  /// Notifications of the same thread stand together.
  public var threadID: String?
  /// Which category's actions it offers.
  public var categoryID: String?
  /// Whether the app should fetch content, also in the background.
  public var isContentAvailable: Bool
  /// Whether the app may change it before it is shown.
  public var isMutable: Bool
  /// Which of the app's windows it belongs to.
  public var targetContentID: String?
  /// How much it may disturb; `nil` is the usual level.
  public var interruptionLevel: InterruptionLevel?
  /// The relevance among many notifications, 0 … 1.
  public var relevanceScore: Double?
  /// Unknown fields of `aps`, which are passed on.
  public var otherFields: [String: PayloadValue]
  /// The fields beside `aps`.
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

  /// A silent payload, which is for the app and not for its user.
  public static func silent(_ custom: [String: PayloadValue]) -> NotificationPayload {
    var payload = NotificationPayload(custom: custom)
    payload.isContentAvailable = true
    return payload
  }

  /// Whether its user is to notice it: something is shown, heard, or counted.
  public var isForUser: Bool { alert != nil || sound != nil || badge != nil }

  /// Whether it is for the app alone.
  public var isSilent: Bool { isContentAvailable && !isForUser }

  /// The notifications that this one revokes on all of a person's devices: `revoke`.
  public var revokes: [NotificationID] {
    (custom["revoke"]?.list ?? []).compactMap(\.string).map(NotificationID.init)
  }
}

// MARK: Size

extension NotificationPayload {
  /// Bytes of the payload as minified JSON.
  public var jsonByteCount: Int { PayloadValue.dictionary(fields).jsonByteCount }

  /// Apple's limit on the JSON of a push, in bytes.
  public static let byteLimit = Limits.payloadBytes

  /// Checks that a payload can be sent.
  ///
  /// - Parameter limit: the limit of the JSON in bytes; other transports have other limits.
  public func check(limit: Int = byteLimit) throws(PayloadFault) {
    let count = jsonByteCount
    guard count <= limit else { throw .tooLarge(bytes: count, limit: limit) }
  }

  /// Leaves out fields beside `aps`, and then those of the sender's own in it, the longest first, and
  /// then ends of texts until it fits.
  ///
  /// - Parameters:
  ///   - limit: the limit of the JSON in bytes.
  ///   - kept: the name of a field that stays.
  package mutating func shorten(toFit limit: Int, keeping kept: String) {
    while jsonByteCount > limit,
      let longest = Self.longest(of: custom.filter { ![kept, "revoke"].contains($0.key) })
    {
      custom[longest] = nil
    }
    // Withdrawing as many as fit is better than none.
    while jsonByteCount > limit, let revoked = custom["revoke"]?.list, !revoked.isEmpty {
      custom["revoke"] = .list(revoked.dropLast())
    }
    while jsonByteCount > limit, let longest = Self.longest(of: otherFields) {
      otherFields[longest] = nil
    }
    shortenTexts(toFit: limit)
  }

  private static func longest(of fields: [String: PayloadValue]) -> String? {
    fields.max { ($0.value.jsonByteCount, $0.key) < ($1.value.jsonByteCount, $1.key) }?.key
  }

  /// Shortens the body, and then the other texts, until the payload fits.
  package mutating func shortenTexts(toFit limit: Int) {
    for text in [\Alert.body, \Alert.subtitle, \Alert.title] {
      guard let long = alert?[keyPath: text]?.text else { continue }
      var characters = Array(long)
      // Some characters take six bytes in JSON, so this takes a few rounds at most.
      while jsonByteCount > limit, !characters.isEmpty {
        characters.removeLast(max(1, characters.count / 4))
        alert?[keyPath: text]?.text = String(characters) + "…"
      }
    }
  }
}

/// Why a payload cannot be sent.
public enum PayloadFault: Error, Hashable, Sendable {
  /// Its JSON is larger than a push may be; send less, and let the app fetch the rest.
  case tooLarge(bytes: Int, limit: Int)
  /// A message to a topic has an object or a list in this field; write it flat.
  ///
  /// The field is one for a single transport, or for all of them.
  case nested(field: String, over: TransportKind? = nil)
  /// A field of the sender's own, for a single transport or for all of them, has a name that the
  /// payload reserves; rename it.
  case reserved(field: String, over: TransportKind? = nil)
}

extension NotificationPayload {
  /// The texts that are shown.
  public struct Alert: Hashable, Sendable {
    /// The first line.
    public var title: Text?
    /// The second line.
    public var subtitle: Text?
    /// The text; an alert that is one string is only this.
    public var body: Text?
    /// What the app shows while it starts because of it.
    public var launchImage: String?

    /// An alert.
    public init(
      title: Text? = nil, subtitle: Text? = nil, body: Text? = nil, launchImage: String? = nil
    ) {
      self.title = title
      self.subtitle = subtitle
      self.body = body
      self.launchImage = launchImage
    }
  }

  /// A text, or the key of a text in the app's localization; the key takes precedence.
  public struct Text: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text itself.
    public var text: String?
    /// Its key in the app's localization: `loc-key`.
    public var key: String?
    /// The arguments for `%@` in order, or for `%1$@` by position: `loc-args`.
    public var arguments: [String]

    /// A text.
    public init(_ text: String) {
      self.text = text
      arguments = []
    }

    /// The key of a text, and optionally the text to show if the app has none for the key.
    public init(key: String, arguments: [String] = [], otherwise text: String? = nil) {
      self.text = text
      self.key = key
      self.arguments = arguments
    }

    /// A text.
    public init(stringLiteral text: String) { self.init(text) }

    /// The localized text; the key itself if there is no text at all.
    public func text(in texts: [String: String]) -> String {
      guard let key else { return text ?? "" }
      guard let format = texts[key] else { return text ?? key }
      return Self.fill(format, with: arguments)
    }

    /// Fills `%@` in order and `%1$@` by position; `%%` is a percent sign, and a missing argument
    /// is empty.
    private static func fill(_ format: String, with arguments: [String]) -> String {
      var (filled, rest, next) = ("", Substring(format), 0)
      while let percent = rest.firstIndex(of: "%") {
        filled += rest[..<percent]
        rest = rest[percent...].dropFirst()
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if rest.hasPrefix("%") {
          filled += "%"
          rest = rest.dropFirst()
        } else if rest.hasPrefix("@") {
          if next < arguments.count { filled += arguments[next] }
          next += 1
          rest = rest.dropFirst()
        } else if let place = Int(digits), rest.dropFirst(digits.count).hasPrefix("$@") {
          if place > 0, place <= arguments.count { filled += arguments[place - 1] }
          rest = rest.dropFirst(digits.count + 2)
        } else {
          filled += "%"
        }
      }
      return filled + rest
    }
  }
}

extension NotificationContent {
  /// The content that a payload shows to a person.
  ///
  /// - Parameters:
  ///   - payload: what was received.
  ///   - texts: the app's texts in the person's language, by the keys that payloads use.
  public init(_ payload: NotificationPayload, in texts: [String: String] = [:]) {
    self.init(
      title: payload.alert?.title?.text(in: texts) ?? "",
      subtitle: payload.alert?.subtitle?.text(in: texts) ?? "",
      body: payload.alert?.body?.text(in: texts) ?? "")
    badge = payload.badge
    sound = payload.sound
    threadID = payload.threadID
    categoryID = payload.categoryID
    launchImageName = payload.alert?.launchImage
    targetContentID = payload.targetContentID
    interruptionLevel = payload.interruptionLevel ?? .active
    relevanceScore = payload.relevanceScore
    userInfo = payload.fields
  }
}
