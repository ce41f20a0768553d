extension InAppMessage {
  /// A button of a message.
  public struct Button: Hashable, Sendable, Identifiable {
    /// The author's label for it; by Braze's convention `0` secondary, `1` primary, by Firebase's
    /// `primary` and `secondary`.
    public var id: String
    /// What stands on it.
    public var text: String
    /// What a click on it does.
    public var clickAction: ClickAction
    /// Its colours.
    public var themes: Themes

    /// A button.
    public init(
      id: String, text: String, clickAction: ClickAction = .close, themes: Themes = Themes()
    ) {
      self.id = id
      self.text = text
      self.clickAction = clickAction
      self.themes = themes
    }
  }
}
