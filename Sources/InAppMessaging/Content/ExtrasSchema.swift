/// What a view needs of a message beyond what every message has.
package struct ExtrasSchema: Equatable, Sendable {
  /// The type of a value.
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
  /// Whether it asks for permission to send notifications, and so is pointless once that is
  /// granted.
  package var asksForPush: Bool

  /// A schema; without fields, it accepts everything.
  package init(
    _ fields: [Field] = [], items: ItemSeparation? = nil, asksForPush: Bool = false
  ) {
    self.fields = fields
    self.items = items
    self.asksForPush = asksForPush
  }

  /// The first fault of a message; `nil` if it has none.
  package func fault(of message: InAppMessage, media: MediaURLGuard) -> ContentFault? {
    for field in fields {
      if let fault = field.fault(in: message.extras, media: media) { return fault }
    }
    return itemsFault(of: message)
  }

  /// The fault that a required list is empty; `nil` if there are items, or none are required.
  package func itemsFault(of message: InAppMessage) -> ContentFault? {
    guard let items, ItemList(message, items).items.isEmpty else { return nil }
    return .noItems
  }
}

extension ExtrasSchema.Field {
  /// The fault of this field among a message's extras; `nil` if it has none.
  package func fault(in extras: [String: PropertyValue], media: MediaURLGuard) -> ContentFault? {
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

/// The built-in views, by the names that campaigns give in ``ViewRegistry/typeKey``.
///
/// The campaign reader, servers and clients share this list, so that a client can show what a
/// server accepts.
package enum ShippedView: String, Hashable, Sendable, CaseIterable {
  /// A player of a video, which hosts a session's watching.
  case video
  /// A choice of one of the items that the text lists.
  case picker
  /// Switches for the items that the text lists.
  case tableList = "table_list"
  /// The question before the system's question for notifications.
  case permission

  /// What the view needs of a message.
  ///
  /// A list without an attribute for the choice is shown, but cannot be submitted.
  package var schema: ExtrasSchema {
    switch self {
    case .video:
      ExtrasSchema([
        ExtrasSchema.Field(VideoView.urlKey, .video),
        ExtrasSchema.Field(VideoView.titleKey, .text, isRequired: false),
      ])
    case .picker, .tableList:
      ExtrasSchema(
        [ExtrasSchema.Field(ItemList.key, .text, isRequired: false)], items: .exact)
    case .permission: ExtrasSchema(asksForPush: true)
    }
  }
}
