extension InAppMessage {
  /// The colours of a message, for light and for dark surroundings.
  public struct Themes: Hashable, Sendable {
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
    public var background: Color?
    public var text: Color?
    public var headerText: Color?
    public var icon: Color?
    public var iconBackground: Color?
    public var closeButton: Color?
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
  public var argb: UInt32

  /// A colour.
  public init(argb: UInt32) {
    self.argb = argb
  }
}
