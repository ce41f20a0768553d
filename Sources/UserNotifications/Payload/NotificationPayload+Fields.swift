public import Vocabulary

// The payload as the object it travels as, both ways.

extension NotificationPayload {
  /// Decodes the payload; missing fields and fields of the wrong type are treated as absent.
  public init(_ fields: [String: PayloadValue]) {
    self.init(custom: fields)
    var aps = fields["aps"]?.dictionary ?? [:]
    alert = aps.removeValue(forKey: "alert").flatMap(Alert.init)
    badge = aps.removeValue(forKey: "badge")?.integer.flatMap { Int(exactly: $0) }
    if let number = badge, number < 0 { badge = nil }
    sound = aps.removeValue(forKey: "sound").flatMap(NotificationSound.init)
    threadID = aps.removeValue(forKey: "thread-id")?.string
    categoryID = aps.removeValue(forKey: "category")?.string
    isContentAvailable = aps.removeValue(forKey: "content-available")?.isOn ?? false
    isMutable = aps.removeValue(forKey: "mutable-content")?.isOn ?? false
    targetContentID = aps.removeValue(forKey: "target-content-id")?.string
    interruptionLevel = aps.removeValue(forKey: "interruption-level")?.string
      .flatMap(InterruptionLevel.init)
    relevanceScore = aps.removeValue(forKey: "relevance-score")?.number
      .flatMap { (0...1).contains($0) ? $0 : nil }
    otherFields = aps
  }

  /// The payload as an object; it always has `aps`.
  public var fields: [String: PayloadValue] {
    var aps = otherFields
    aps["alert"] = alert?.field
    aps["badge"] = badge.map { .integer(Int64($0)) }
    aps["sound"] = sound?.field
    aps["thread-id"] = threadID.map(PayloadValue.string)
    aps["category"] = categoryID.map(PayloadValue.string)
    if isContentAvailable { aps["content-available"] = 1 }
    if isMutable { aps["mutable-content"] = 1 }
    aps["target-content-id"] = targetContentID.map(PayloadValue.string)
    aps["interruption-level"] = interruptionLevel.map { .string($0.rawValue) }
    aps["relevance-score"] = relevanceScore.map(PayloadValue.number)
    var fields = custom
    fields["aps"] = .dictionary(aps)
    return fields
  }
}

extension NotificationPayload.Alert {
  /// An alert that is a string or an object; an empty one counts as absent.
  package init?(_ field: PayloadValue) {
    switch field {
    case .string(let text):
      guard !text.isEmpty else { return nil }
      self.init(body: NotificationPayload.Text(text))
    case .dictionary(let fields):
      self.init(
        title: NotificationPayload.Text(fields, "title", "title-loc-key", "title-loc-args"),
        subtitle: NotificationPayload.Text(
          fields, "subtitle", "subtitle-loc-key", "subtitle-loc-args"),
        body: NotificationPayload.Text(fields, "body", "loc-key", "loc-args"),
        launchImage: fields["launch-image"]?.string)
      guard title != nil || subtitle != nil || body.map({ $0 != "" }) == true else { return nil }
    default: return nil
    }
  }

  /// The short form, a string, if the alert has no more than a body.
  package var field: PayloadValue {
    if title == nil, subtitle == nil, launchImage == nil, let body, body.key == nil {
      return .string(body.text ?? "")
    }
    var fields: [String: PayloadValue] = [:]
    title?.write("title", "title-loc-key", "title-loc-args", to: &fields)
    subtitle?.write("subtitle", "subtitle-loc-key", "subtitle-loc-args", to: &fields)
    body?.write("body", "loc-key", "loc-args", to: &fields)
    fields["launch-image"] = launchImage.map(PayloadValue.string)
    return .dictionary(fields)
  }
}

extension NotificationPayload.Text {
  fileprivate init?(
    _ fields: [String: PayloadValue], _ name: String, _ key: String, _ arguments: String
  ) {
    text = fields[name]?.string
    self.key = fields[key]?.string
    guard text != nil || self.key != nil else { return nil }
    let isNamed = self.key != nil
    self.arguments = isNamed ? (fields[arguments]?.list ?? []).compactMap(\.string) : []
  }

  fileprivate func write(
    _ name: String, _ key: String, _ arguments: String, to fields: inout [String: PayloadValue]
  ) {
    fields[name] = text.map(PayloadValue.string)
    fields[key] = self.key.map(PayloadValue.string)
    if self.key != nil, !self.arguments.isEmpty {
      fields[arguments] = .list(self.arguments.map(PayloadValue.string))
    }
  }
}

extension NotificationSound {
  /// A sound that is a name, or an object with `critical`, `name` and `volume`.
  fileprivate init?(_ field: PayloadValue) {
    switch field {
    case .string(let name): self.init(name)
    case .dictionary(let fields):
      guard let name = fields["name"]?.string else { return nil }
      let isCritical = fields["critical"]?.isOn ?? false
      self.init(name, isCritical: isCritical, volume: fields["volume"]?.number)
    default: return nil
    }
  }

  fileprivate var field: PayloadValue {
    guard isCritical || volume != nil else { return .string(name) }
    var fields: [String: PayloadValue] = ["name": .string(name)]
    if isCritical { fields["critical"] = 1 }
    fields["volume"] = volume.map(PayloadValue.number)
    return .dictionary(fields)
  }
}

extension PayloadValue {
  /// A flag as payloads write it: 1 or true.
  fileprivate var isOn: Bool { self == .bool(true) || integer == 1 }
}
