extension InAppMessage {
  /// The colours of a message, for light and for dark surroundings.
  public struct Themes: Hashable, Sendable {
    /// For light surroundings.
    public var light: Theme
    /// Without it, the light one is used in dark surroundings, too.
    public var dark: Theme?

    /// Themes.
    public init(light: Theme = Theme(), dark: Theme? = nil) {
      self.light = light
      self.dark = dark
    }

    /// The one for these surroundings.
    public func theme(for scheme: ColorScheme) -> Theme {
      scheme == .dark ? dark ?? light : light
    }
  }

  /// The colours of a message or a button; `nil` is the view's own.
  public struct Theme: Hashable, Sendable {
    /// Behind everything.
    public var background: Color?
    /// The text below the header.
    public var text: Color?
    /// The header.
    public var headerText: Color?
    /// A symbol.
    public var icon: Color?
    /// Behind a symbol.
    public var iconBackground: Color?
    /// Of what closes it.
    public var closeButton: Color?
    /// Around it: of a button.
    public var border: Color?
    /// Of the scrim over the app behind a dialog.
    public var frame: Color?

    /// A theme of the view's own colours.
    public init() {}
  }

  /// The message without its dark colours, those of its buttons among them.
  public func removingDarkThemes() -> InAppMessage {
    var message = self
    message.themes.dark = nil
    for index in message.buttons.indices { message.buttons[index].themes.dark = nil }
    return message
  }
}

extension InAppMessage.Theme {
  /// The coloured parts, by their names in files and in the protocol.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case background
    case text
    case headerText
    case icon
    case iconBackground
    case closeButton
    case border
    case frame

    fileprivate var path: WritableKeyPath<InAppMessage.Theme, Color?> {
      switch self {
      case .background: \.background
      case .text: \.text
      case .headerText: \.headerText
      case .icon: \.icon
      case .iconBackground: \.iconBackground
      case .closeButton: \.closeButton
      case .border: \.border
      case .frame: \.frame
      }
    }
  }

  /// The colour of a part.
  package subscript(part: Part) -> Color? {
    get { self[keyPath: part.path] }
    set { self[keyPath: part.path] = newValue }
  }
}

/// Whether the surroundings are light or dark.
public enum ColorScheme: String, Hashable, Sendable, CaseIterable {
  /// Dark text on a light background.
  case light
  /// Light text on a dark background.
  case dark
}

/// A colour with its opacity, 8 bits each: `0xAARRGGBB`.
public struct Color: Hashable, Sendable {
  /// Opacity, red, green and blue, from the highest byte to the lowest.
  public var argb: UInt32

  /// A colour.
  public init(argb: UInt32) {
    self.argb = argb
  }
}

extension Color {
  /// `#rrggbb` if it is opaque, otherwise `#aarrggbb`; short enough that Swift needs no allocation.
  package var text: String {
    let isOpaque = argb >> 24 == 0xFF
    let digits = String(isOpaque ? argb & 0xFF_FFFF : argb, radix: 16)
    return "#" + String(repeating: "0", count: (isOpaque ? 6 : 8) - digits.count) + digits
  }

  /// The colour of that text; `nil` if the text is none.
  package init?(text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8,
      // `UInt32` accepts a sign, a colour does not.
      digits.first != UInt8(ascii: "+"), let number = UInt32(Substring(digits), radix: 16)
    else { return nil }
    self.init(argb: digits.count == 6 ? 0xFF00_0000 | number : number)
  }
}
