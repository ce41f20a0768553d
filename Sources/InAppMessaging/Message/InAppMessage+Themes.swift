extension InAppMessage {
  /// The colours of a message, for light and for dark surroundings.
  public struct Themes: Hashable, Sendable {
    /// For light surroundings.
    public var light: Theme
    /// Without it the light one is used in the dark, too.
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
    /// Of the text below the header.
    public var text: Color?
    /// Of the header.
    public var headerText: Color?
    /// Of a symbol.
    public var icon: Color?
    /// Behind a symbol.
    public var iconBackground: Color?
    /// Of what closes it.
    public var closeButton: Color?
    /// Around it: of a button.
    public var border: Color?
    /// What lies over the app behind a dialog.
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

/// Whether the surroundings are light or dark.
public enum ColorScheme: String, Hashable, Sendable, CaseIterable {
  case light
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
