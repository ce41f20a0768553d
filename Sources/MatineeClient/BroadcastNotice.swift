import Vocabulary

/// A notice that one app shows to everyone: a message among an app's own, told apart by its field.
struct BroadcastNotice: Codable, Equatable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case text = "matinee.notice"
  }

  let text: String

  init(text: String) { self.text = text }

  /// Reads a message; `nil` if it is an app's own.
  init?(_ payload: JSONText) {
    // Most messages are: they cost one comparison.
    guard payload.text.hasPrefix(#"{"matinee.notice":"#) else { return nil }
    do throws(GroupWatchError) {
      self = try PayloadCoding.decode(Self.self, from: payload)
    } catch {
      return nil
    }
  }
}
