/// An opaque JSON value that travels through Matinee unread: an activity's payload, a message.
///
/// Its validity is the promise of whoever made it: the reader of the wire makes it from checked
/// input, minified, so that equal texts mean equal values up to the order of fields.
public struct JSONText: Hashable, Sendable {
  /// The value as minified JSON in UTF-8.
  public let text: String

  /// Wraps a text that is known to be valid JSON.
  public init(validated text: String) {
    self.text = text
  }

  /// The empty object.
  public static let emptyObject = JSONText(validated: "{}")
}
