import InAppMessaging

/// What a custom view needs of a message besides what every message has; a message that lacks it is
/// not shown.
public struct MessageViewRequirements: Hashable, Sendable {
  /// What an extra has to be.
  public enum Value: Hashable, Sendable, CaseIterable {
    /// A text.
    case text
    /// A finite number.
    case number
    /// The URL of a video that may be played; see ``InAppMessageOptions/allowsDevelopmentMedia``.
    case video
  }

  var fields: [String: Field] = [:]
  var items: ItemSeparation?

  struct Field: Hashable, Sendable {
    var value: Value
    var isRequired: Bool
  }

  /// Nothing but what every message has.
  public init() {}

  /// Needs an extra.
  ///
  /// - Parameters:
  ///   - key: its key.
  ///   - value: what it has to be.
  ///   - isRequired: whether it has to be there at all.
  public func extra(
    _ key: String, _ value: Value, isRequired: Bool = true
  ) -> MessageViewRequirements {
    var requirements = self
    requirements.fields[key] = Field(value: value, isRequired: isRequired)
    return requirements
  }

  /// Needs a text that lists items.
  ///
  /// - Parameter isLenient: a comma alone separates; else a comma and a space.
  public func listedItems(isLenient: Bool = false) -> MessageViewRequirements {
    var requirements = self
    requirements.items = isLenient ? .lenient : .exact
    return requirements
  }

  var schema: ExtrasSchema {
    let fields = fields.sorted { $0.key < $1.key }.map { key, field in
      ExtrasSchema.Field(key, field.value.value, isRequired: field.isRequired)
    }
    return ExtrasSchema(fields, items: items)
  }
}

extension MessageViewRequirements.Value {
  fileprivate var value: ExtrasSchema.Value {
    switch self {
    case .text: .text
    case .number: .number
    case .video: .video
    }
  }
}
