public import Vocabulary

/// A message in an app: what it says, where it stands, and what can be done with it.
///
/// One model for Braze's seven kinds and Firebase's four: a ``Surface`` to stand on and a ``Body``
/// to show. What the kinds differ in otherwise are values here, with each kind's own defaults; see
/// ``init(id:kind:body:)``.
public struct InAppMessage: Hashable, Sendable, Identifiable {
  /// One delivery of it to one person, never used again; two deliveries of a campaign differ in it.
  public internal(set) var id: MessageID
  /// Where it comes from; `nil` for an app's own message, which is shown and never reported.
  public var campaign: CampaignReference?
  /// The vendor's name for its sort, from which the defaults come.
  public var kind: Kind
  /// Where it stands.
  public var surface: Surface
  /// What it shows.
  public var body: Body
  /// What a click on the body does, live only where there are no buttons; `nil` is not clickable.
  public var clickAction: ClickAction?
  /// In reading order, the primary one last; at most two are drawn.
  public var buttons: [Button]
  /// How it goes away.
  public var closing: ClosePolicy
  /// Where the device is held otherwise, it is not shown.
  public var orientation: OrientationSupport
  /// Its colours.
  public var themes: Themes
  /// Whether it comes with a movement; people who want less motion get none.
  public var animatesIn: Bool
  /// Whether it goes with a movement.
  public var animatesOut: Bool
  /// Key-value pairs of the campaign's author; `view_type` chooses the view.
  public var extras: [String: PropertyValue]
  /// BCP 47; sets the language and the direction of the text.
  public var language: String?
  /// When it counts as seen.
  public var impression: ImpressionPolicy
  /// The session whose media it shows; dismissing it then counts for the session.
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

  /// The button of that id; the first, should two have it.
  ///
  /// An id is a label, never a place: a message with one button may call it `1`.
  public func button(_ id: String) -> Button? {
    buttons.first { $0.id == id }
  }
}

/// One delivery of a message.
public typealias MessageID = Identifier<InAppMessage>
