extension InAppMessage {
  /// What a message shows.
  public enum Body: Hashable, Sendable {
    case text(Text)
    /// An image that is the whole message; the landscape one, if any, on devices held so.
    case image(Image, landscape: Image?)
    /// A page, drawn only where there is a browser.
    case html(Page)
    /// Nothing: of a control.
    case empty
  }

  /// A header and a text, and perhaps an image or an icon.
  public struct Text: Hashable, Sendable {
    /// Above the text, in larger letters.
    public var header: String?
    /// Of the header's lines.
    public var headerAlignment: TextAlignment
    /// The text itself.
    public var message: String
    /// Of the text's lines.
    public var messageAlignment: TextAlignment
    /// Above the text, or beside it.
    public var graphic: Graphic?
    /// Instead of the graphic on devices held in landscape.
    public var landscapeImage: Image?

    /// A text.
    public init(
      _ message: String, header: String? = nil, alignment: TextAlignment = .center,
      headerAlignment: TextAlignment = .center, graphic: Graphic? = nil,
      landscapeImage: Image? = nil
    ) {
      self.message = message
      self.header = header
      messageAlignment = alignment
      self.headerAlignment = headerAlignment
      self.graphic = graphic
      self.landscapeImage = landscapeImage
    }
  }

  /// Where a line of text stands; leading is where the language begins its lines.
  public enum TextAlignment: String, Hashable, Sendable, CaseIterable {
    case leading
    case center
    case trailing
  }

  /// What stands beside or above a text.
  public enum Graphic: Hashable, Sendable {
    /// A symbol's name or character.
    case icon(String)
    case image(Image)
  }

  /// An image elsewhere.
  public struct Image: Hashable, Sendable {
    /// https only; anything else is as good as none.
    public var url: String
    /// For those who do not see it.
    public var alternativeText: String?

    /// An image.
    public init(url: String, alternativeText: String? = nil) {
      self.url = url
      self.alternativeText = alternativeText
    }
  }

  /// A page of HTML.
  public struct Page: Hashable, Sendable {
    /// The page itself.
    public var source: String
    /// What its relative links are relative to.
    public var baseURL: String?
    /// Whether scripts in it run; not, unless the author is trusted.
    public var allowsScripts: Bool

    /// A page.
    public init(_ source: String, baseURL: String? = nil, allowsScripts: Bool = false) {
      self.source = source
      self.baseURL = baseURL
      self.allowsScripts = allowsScripts
    }
  }
}
