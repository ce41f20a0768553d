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

  /// What a message lacks; `nil` if nothing.
  package func fault(of message: InAppMessage, media: MediaURLGuard) -> ContentFault? {
    for field in fields {
      if let fault = field.fault(in: message.extras, media: media) { return fault }
    }
    return itemsFault(of: message)
  }

  /// That a message lists nothing where it has to; `nil` if it does, or need not.
  package func itemsFault(of message: InAppMessage) -> ContentFault? {
    guard let items, ItemList(message, items).items.isEmpty else { return nil }
    return .noItems
  }
}

extension ExtrasSchema.Field {
  /// What is wrong with the pair, among a message's extras; `nil` if nothing is.
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

/// The views that come along, by the names that campaigns call them in ``ViewRegistry/typeKey``.
///
/// Authors, servers and clients go by one and the same list, so that what a server takes is what a
/// client shows.
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
  /// A list without an attribute to keep the choice in is shown, and nothing can be submitted.
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
