public import Vocabulary

/// A message in an app: its content, its place on the screen, and its actions.
///
/// One model covers Braze's seven kinds and Firebase's four: a ``Surface`` and a ``Body``. Other
/// differences between the kinds are properties with a default for each kind; see
/// ``init(id:kind:body:)``.
public struct InAppMessage: Hashable, Sendable, Identifiable {
  /// The id of one delivery to one person, which is never reused.
  public internal(set) var id: MessageID
  /// Its campaign; `nil` for an app's own message, which is shown and never reported.
  public var campaign: CampaignReference?
  /// The vendor's name for its kind, which decides the defaults.
  public var kind: Kind
  /// Where it stands.
  public var surface: Surface
  /// What it shows.
  public var body: Body
  /// What a click on the body does, if there are no buttons; `nil` is not clickable.
  public var clickAction: ClickAction?
  /// In reading order, the primary one last; at most two are drawn.
  public var buttons: [Button]
  /// How it goes away.
  public var closing: ClosePolicy
  /// The orientations of the device in which it is shown.
  public var orientation: OrientationSupport
  /// Its colours.
  public var themes: Themes
  /// Whether it appears with an animation; people who reduce motion get none.
  public var animatesIn: Bool
  /// Whether it disappears with an animation.
  public var animatesOut: Bool
  /// Key-value pairs of the campaign's author; `view_type` chooses the view.
  public var extras: [String: PropertyValue]
  /// BCP 47; sets the language and the direction of the text.
  public var language: String?
  /// When it counts as seen.
  public var impression: ImpressionPolicy
  /// The session it belongs to, whose media it shows if it has a video; dismissing it then counts
  /// for the session.
  public var session: SessionID?

  /// A message with its kind's defaults.
  ///
  /// | kind | surface | closes | impression |
  /// |---|---|---|---|
  /// | slideup | edge, bottom | by itself after 5 s, by a swipe | when presented |
  /// | modal, modalImage | dialog | close button | when presented |
  /// | full, fullImage, html | full screen | close button | when presented |
  /// | control | none | at once | when presented |
  /// | card, imageOnly | dialog | close button, a tap outside | after 3 s in sight |
  /// | banner | edge, top | by itself after 12 s, by a swipe | after 3 s in sight |
  ///
  /// Sources: Braze's Swift SDK 18.2, Firebase In-App Messaging 12.19.
  public init(id: MessageID, kind: Kind, body: Body) {
    self.id = id
    self.kind = kind
    self.body = body
    surface = kind.surface
    buttons = []
    closing = kind.closing
    orientation = .any
    themes = Themes()
    animatesIn = true
    animatesOut = true
    extras = [:]
    impression = kind.impression
  }

  /// The button of that id; the first, if two have it.
  ///
  /// An id is a label, never a place: a message with one button may call it `1`.
  public func button(_ id: String) -> Button? {
    buttons.first { $0.id == id }
  }
}

/// One delivery of a message.
public typealias MessageID = Identifier<InAppMessage>

/// Which campaign a message is a delivery of; Firebase's `campaignInfo`.
public struct CampaignReference: Hashable, Sendable {
  /// The campaign.
  public var id: CampaignID
  /// The author's name for it, for an app's own analytics.
  public var name: String
  /// Which variant the person is in.
  public var variant: String
  /// Whether it is a trial: counted apart, and shown without regard to limits.
  public var isTest: Bool
  /// Whom it is for.
  public var user: UserID

  /// A reference.
  public init(
    id: CampaignID, name: String, variant: String, isTest: Bool = false, user: UserID
  ) {
    self.id = id
    self.name = name
    self.variant = variant
    self.isTest = isTest
    self.user = user
  }
}

/// A campaign of that id.
public typealias CampaignID = Identifier<CampaignReference>

extension InAppMessage {
  /// What a message shows.
  public enum Body: Hashable, Sendable {
    /// A text, perhaps with a header and a graphic.
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
    /// At the side where a line begins.
    case leading
    /// In the middle.
    case center
    /// At the side where a line ends.
    case trailing
  }

  /// What stands beside or above a text.
  public enum Graphic: Hashable, Sendable {
    /// A symbol's name or character.
    case icon(String)
    /// An image.
    case image(Image)
  }

  /// An image elsewhere.
  public struct Image: Hashable, Sendable {
    /// Must be https; otherwise it is treated as absent.
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
    /// Whether its scripts run; only if the author is trusted.
    public var allowsScripts: Bool

    /// A page.
    public init(_ source: String, baseURL: String? = nil, allowsScripts: Bool = false) {
      self.source = source
      self.baseURL = baseURL
      self.allowsScripts = allowsScripts
    }
  }
}

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
