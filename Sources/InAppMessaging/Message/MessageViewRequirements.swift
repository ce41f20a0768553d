/// What a view needs of a message beyond what every message has; a message without it is not shown.
public struct MessageViewRequirements: Hashable, Sendable {
  /// The type of an extra.
  public enum Value: Hashable, Sendable, CaseIterable {
    /// A text.
    case text
    /// A finite number.
    case number
    /// The URL of a video that is allowed to play.
    case video
  }

  /// What is required of one extra.
  package struct Field: Hashable, Sendable {
    package let key: String
    fileprivate let value: Value
    fileprivate let isRequired: Bool

    /// Requires the extra with this key to have this type.
    package init(_ key: String, _ value: Value, isRequired: Bool = true) {
      self.key = key
      self.value = value
      self.isRequired = isRequired
    }
  }

  /// In the order in which they are checked.
  package private(set) var fields: [Field]
  /// How the message's text is read as a list, which must then not be empty; `nil` is no list.
  package private(set) var items: ItemSeparation?
  /// Whether it asks for permission to send notifications, and so is pointless once that is
  /// granted.
  package let asksForPush: Bool

  /// No requirements, so that every message is accepted.
  public init() { self.init([]) }

  /// Requirements, of which the fields are checked in this order.
  package init(
    _ fields: [Field], items: ItemSeparation? = nil, asksForPush: Bool = false
  ) {
    self.fields = fields
    self.items = items
    self.asksForPush = asksForPush
  }

  /// Requires an extra.
  ///
  /// - Parameters:
  ///   - key: the extra's key.
  ///   - value: the type its value must have.
  ///   - isRequired: whether it must be present.
  public func extra(
    _ key: String, _ value: Value, isRequired: Bool = true
  ) -> MessageViewRequirements {
    var requirements = self
    requirements.fields.removeAll { $0.key == key }
    requirements.fields.append(Field(key, value, isRequired: isRequired))
    requirements.fields.sort { $0.key < $1.key }
    return requirements
  }

  /// Requires a text that lists items.
  ///
  /// - Parameter isLenient: whether a comma alone separates items; otherwise a comma and a space
  ///   do.
  public func listedItems(isLenient: Bool = false) -> MessageViewRequirements {
    var requirements = self
    requirements.items = isLenient ? .lenient : .exact
    return requirements
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

extension MessageViewRequirements.Field {
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
  package var requirements: MessageViewRequirements {
    switch self {
    case .video:
      MessageViewRequirements([
        .init(VideoView.urlKey, .video), .init(VideoView.titleKey, .text, isRequired: false),
      ])
    case .picker, .tableList:
      MessageViewRequirements([.init(ItemList.key, .text, isRequired: false)], items: .exact)
    case .permission: MessageViewRequirements([], asksForPush: true)
    }
  }
}
