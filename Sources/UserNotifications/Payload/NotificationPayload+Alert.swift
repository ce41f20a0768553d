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

  /// A text, or the name of one that the app has in its user's language; the name goes first.
  public struct Text: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text itself.
    public var text: String?
    /// The name under which the app has it: `loc-key`.
    public var key: String?
    /// What is filled in for `%@` in order, or for `%1$@` by place: `loc-args`.
    public var arguments: [String]

    /// A text.
    public init(_ text: String) {
      self.text = text
      arguments = []
    }

    /// The name of a text, and perhaps what is shown where there is none of that name.
    public init(key: String, arguments: [String] = [], otherwise text: String? = nil) {
      self.text = text
      self.key = key
      self.arguments = arguments
    }

    /// A text.
    public init(stringLiteral text: String) { self.init(text) }

    /// The text in the language of an app's texts; the name itself where there is none at all.
    public func text(in texts: [String: String]) -> String {
      guard let key else { return text ?? "" }
      guard let format = texts[key] else { return text ?? key }
      return Self.fill(format, with: arguments)
    }

    /// Fills `%@` in order and `%1$@` by place; `%%` is a percent sign, and what is missing is empty.
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
  /// What a payload says to a person.
  ///
  /// - Parameter texts: the app's texts in the person's language, by the names payloads call them.
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
