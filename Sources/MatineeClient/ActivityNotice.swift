public import Vocabulary
import Wire

/// An activity that goes on in the group and that this device cannot take part in.
public struct ActivityNotice: Hashable, Sendable {
  /// The session.
  public let session: SessionID
  /// What it is about.
  public let title: String
  /// Where a person can watch without taking part.
  public let fallbackURL: String?

  init(_ notice: Wire.ActivityNotice) {
    session = notice.session
    title = notice.title
    fallbackURL = notice.fallbackURL
  }
}
