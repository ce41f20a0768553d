import GroupSessions

/// What an invitation shows of an activity.
public struct GroupActivityMetadata: Hashable, Sendable {
  /// The sort of activity, such as `watchTogether`.
  public var kind: String
  /// Names the activity, not the app.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// Where someone without the app is sent; identifies the content, not the site.
  public var fallbackURL: String?
  /// Where a picture of it is found.
  public var previewImageURL: String?
  /// Whether the session ends when the person who started it has left on all devices.
  public var endsWhenInitiatorLeaves = false

  /// Metadata with a title, which no invitation can do without.
  public init(
    title: String, kind: String = "generic", subtitle: String? = nil, fallbackURL: String? = nil
  ) {
    self.title = title
    self.kind = kind
    self.subtitle = subtitle
    self.fallbackURL = fallbackURL
  }

  var value: GroupSessions.GroupActivityMetadata {
    GroupSessions.GroupActivityMetadata(
      kind: kind, title: title, subtitle: subtitle, fallbackURL: fallbackURL,
      previewImageURL: previewImageURL,
      lifetime: endsWhenInitiatorLeaves ? .endsWhenInitiatorLeaves : .automatic)
  }
}
