/// What a person can do about a notification without opening the app first.
public struct NotificationAction: Hashable, Sendable, Identifiable {
  /// The app's name for it; responses carry it.
  public var id: String
  /// What stands on its button.
  public var title: String
  /// How it is to be carried out.
  public var options: Options
  /// A symbol's name or character, beside the title.
  public var icon: String?
  /// The field in which a text is written before the action is taken; `nil` asks for none.
  public var textInput: TextInput?

  /// An action.
  public init(
    id: String, title: String, options: Options = [], icon: String? = nil,
    textInput: TextInput? = nil
  ) {
    self.id = id
    self.title = title
    self.options = options
    self.icon = icon
    self.textInput = textInput
  }

  /// How an action is carried out; the raw values are UserNotifications' own.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// The options of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Only once the person has shown who they are.
    public static let authenticationRequired = Options(rawValue: 1)
    /// It destroys something: drawn as such, and better asked about once more.
    public static let destructive = Options(rawValue: 2)
    /// Brings the app to the front; without it the action is taken in the background.
    public static let foreground = Options(rawValue: 4)
  }

  /// A field for a reply.
  public struct TextInput: Hashable, Sendable {
    /// What stands on the button that sends it.
    public var buttonTitle: String
    /// What stands in the empty field.
    public var placeholder: String

    /// A field.
    public init(buttonTitle: String, placeholder: String = "") {
      self.buttonTitle = buttonTitle
      self.placeholder = placeholder
    }
  }
}
