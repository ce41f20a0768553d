import InAppMessaging
import Vocabulary

/// How much campaign files may hold beyond `CampaignLimits`, each bound with its reason.
///
/// The bounds guard a server against a file that was made by mistake, such as a log with the ending
/// `.yaml`. People who write campaigns by hand reach none of them.
package enum CampaignBounds {
  /// Files in a directory: one for each live campaign, and more for those that are not live.
  package static let files = 500
  /// Bytes of one file: three times the largest message there can be.
  package static let fileBytes = 256 * 1024
  /// People in one list of an audience: more are better kept as an attribute.
  package static let users = 1_000
  /// Buttons of a message: what both vendors draw.
  package static let buttons = 2
  /// Actions of one click.
  package static let actions = 8
  /// Pairs of a message's extras, or of an event's properties.
  package static let pairs = 32
  /// Texts in one list among extras and properties, as from a peer.
  package static let listTexts = Limits().listTexts
  /// The longest interval, window or re-eligibility: Braze's 720 days.
  package static let duration = Duration.seconds(720 * 86_400)

  // Lengths, in bytes of UTF-8.

  /// A header or a title.
  package static let headerBytes = 512
  /// A message's text: a full screen of small print, or the list of a picker.
  package static let messageBytes = 4 * 1024
  /// A page of HTML, as long as when its places are filled in.
  package static let htmlBytes = Template.longestResult
  /// A button's text.
  package static let buttonBytes = 128
  /// A text among extras, properties and conditions: the longest URL.
  package static let valueBytes = Limits.urlBytes
  /// A regular expression: as many as it may have steps, most of which take one byte or more.
  package static let expressionBytes = Pattern.longest
}
