/// What a view needs of a message besides what every message has.
package struct ExtrasSchema: Equatable, Sendable {
  /// What a value has to be.
  package enum Value: Equatable, Sendable {
    case text
    case number
    /// A video that ``MediaURLGuard`` lets through.
    case video
  }

  /// A key-value pair.
  package struct Field: Equatable, Sendable {
    package var key: String
    package var value: Value
    package var isRequired: Bool

    /// A field.
    package init(_ key: String, _ value: Value, isRequired: Bool = true) {
      self.key = key
      self.value = value
      self.isRequired = isRequired
    }
  }

  package var fields: [Field]
  /// How the message's text is read as a list, which must then not be empty; `nil` is no list.
  package var items: ItemSeparation?
  /// Whether it asks for leave to send notifications, and has no point where that is given.
  package var asksForPush: Bool

  /// A schema; of no fields, it lets everything through.
  package init(
    _ fields: [Field] = [], items: ItemSeparation? = nil, asksForPush: Bool = false
  ) {
    self.fields = fields
    self.items = items
    self.asksForPush = asksForPush
  }

  /// A player of a video, which hosts a session's watching.
  package static let video = ExtrasSchema([
    Field(VideoView.urlKey, .video), Field(VideoView.titleKey, .text, isRequired: false),
  ])
  /// A choice of one of the items that the text lists; without the key nothing can be submitted.
  package static let picker = ExtrasSchema(
    [Field(ItemList.attributeKey, .text, isRequired: false)], items: .exact)
  /// Switches for the items that the text lists.
  package static let switches = picker
  /// The question before the system's question for notifications.
  package static let pushPrimer = ExtrasSchema(asksForPush: true)

  /// What a message lacks; `nil` if nothing.
  package func fault(of message: InAppMessage, media: MediaURLGuard) -> ContentFault? {
    for field in fields {
      if let fault = field.fault(in: message.extras, media: media) { return fault }
    }
    guard let items else { return nil }
    guard case .text(let text) = message.body, !ItemList.items(in: text.message, items).isEmpty
    else { return .noItems }
    return nil
  }
}

extension ExtrasSchema.Field {
  func fault(in extras: [String: PropertyValue], media: MediaURLGuard) -> ContentFault? {
    guard let found = extras[key] else { return isRequired ? .missing(key) : nil }
    switch value {
    case .text: return found.string == nil ? .wrongType(key) : nil
    case .number: return found.number?.isFinite == true ? nil : .wrongType(key)
    case .video:
      guard let url = found.string else { return .wrongType(key) }
      return media.fault(of: url).map { .video($0) }
    }
  }
}

/// What is not in order with a message's content.
package enum ContentFault: Hashable, Sendable {
  /// The view needs this extra.
  case missing(String)
  /// The view needs another sort of value there.
  case wrongType(String)
  case video(MediaURLFault)
  /// The text is to be a list, and lists nothing.
  case noItems
  /// The message is an image, and has none that can be loaded.
  case noImage
  /// There is neither a text nor a header, or no page.
  case noText
  /// A click would lead where none may.
  case link(String)
}
