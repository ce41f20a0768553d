import InAppMessaging

/// The content that a custom view requires besides the fields of every message.
///
/// A message that lacks it is not shown.
public struct MessageViewRequirements: Hashable, Sendable {
  /// The required type of an extra.
  public enum Value: Hashable, Sendable, CaseIterable {
    /// A text.
    case text
    /// A finite number.
    case number
    /// The URL of a video that is allowed to play; see
    /// ``InAppMessageOptions/allowsDevelopmentMedia``.
    case video
  }

  var fields: [String: Field] = [:]
  var items: ItemSeparation?

  struct Field: Hashable, Sendable {
    var value: Value
    var isRequired: Bool
  }

  /// No requirements.
  public init() {}

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
    requirements.fields[key] = Field(value: value, isRequired: isRequired)
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
