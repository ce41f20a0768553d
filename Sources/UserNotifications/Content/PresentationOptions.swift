/// How a notification is shown while its app is in front; the raw values are UserNotifications' own.
public struct PresentationOptions: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// The options of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The number on the app's icon is changed.
  public static let badge = PresentationOptions(rawValue: 1)
  /// The sound is heard.
  public static let sound = PresentationOptions(rawValue: 2)
  /// An older name of ``list`` and ``banner`` together.
  @available(*, deprecated, message: "use list and banner")
  public static let alert = PresentationOptions(rawValue: 4)
  /// It stands in the list of notifications.
  public static let list = PresentationOptions(rawValue: 8)
  /// It shows up over what is on screen, with its actions.
  public static let banner = PresentationOptions(rawValue: 16)

  /// All that a notification does where its app is not in front.
  public static let all: PresentationOptions = [.badge, .sound, .list, .banner]

  /// These options without the older name.
  public var modern: PresentationOptions {
    let older = PresentationOptions(rawValue: 4)
    return contains(older) ? subtracting(older).union([.list, .banner]) : self
  }
}
