import InAppMessaging
import Vocabulary

/// Something the server has to hear.
enum MessagingNotice: OutboxNotice {
  case event(AppEvent)
  case report(MessageReport, of: MessageID)
  /// Something is known of the person now; `nil` is no longer.
  case attribute(String, PropertyValue?)
  /// Everything known of the person is to be forgotten.
  case wipe

  /// A week of a busy app without a connection.
  static let limit = 1_000
  /// What is older is of no use to a campaign; Firebase keeps its log as long.
  static let longestWait = Duration.seconds(14 * 86_400)

  /// That somebody is to be forgotten is said however long it takes.
  var mayGo: Bool { self != .wipe }
}
