import InAppMessaging
import Vocabulary

/// How much campaign files may hold, each bound with its reason.
///
/// They guard a server against a file that was made by mistake, such as a log with the ending
/// `.yaml`; whoever writes campaigns by hand meets none of them but ``liveCampaigns``.
package enum CampaignBounds {
  /// Files in a directory: all live campaigns in files of their own, and as many that rest.
  package static let files = 500
  /// Bytes of one file: three times the largest message there can be.
  package static let fileBytes = 256 * 1024
  /// Live campaigns, the number that Braze allows: every event is held against each of them.
  package static let liveCampaigns = CampaignSet.liveLimit
  /// Campaigns of any state: what a server remembers of a person holds as many.
  package static let campaigns = CampaignSet.limit
  /// Triggers of a campaign: more are better told apart by a filter.
  package static let triggers = 16
  /// Filters of a trigger.
  package static let filters = 16
  /// Conditions of one audience, all told.
  package static let conditions = 64
  /// How deep the conditions of an audience may nest; people lose count after three.
  package static let nesting = 8
  /// People in one list of an audience: more are better kept as an attribute.
  package static let users = 1_000
  /// Caps of a campaign: one for each window, and some.
  package static let caps = 8
  /// Variants of a campaign: Braze allows eight and a control.
  package static let variants = 9
  /// The weight of one variant, so that shares of a hundredth of a percent can be told.
  package static let weight = 10_000
  /// Buttons of a message: what both vendors draw.
  package static let buttons = 2
  /// Actions of one click.
  package static let actions = 8
  /// Pairs of a message's extras, or of an event's properties.
  package static let pairs = 32
  /// Texts in one list among extras and properties.
  package static let listTexts = 64
  /// The largest cap of a session or a window: each impression in it is remembered.
  package static let cap = 32
  /// The longest time there may be between two things: Braze's 720 days.
  package static let duration = Duration.seconds(720 * 86_400)
  /// The longest delay: what is to come later than in a week is another campaign.
  package static let delay = Duration.seconds(7 * 86_400)
  /// The longest time to live, for the same reason.
  package static let timeToLive = Duration.seconds(30 * 86_400)

  // Lengths, in bytes of UTF-8.

  /// An identifier, as from a peer.
  package static let identifierBytes = Limits().identifierBytes
  /// A name of a campaign, an event, a property or a list, as from a peer: no app could log a longer
  /// one.
  package static let nameBytes = Limits().nameBytes
  /// A header or a title.
  package static let headerBytes = 512
  /// A message's text: a full screen of small print; also the list of a picker.
  package static let messageBytes = 4 * 1024
  /// A page of HTML: with its envelope it fits into half a line of the protocol.
  package static let htmlBytes = 64 * 1024
  /// A button's text.
  package static let buttonBytes = 128
  /// A URL: browsers stop at 2 KiB, too.
  package static let urlBytes = 2_048
  /// A text among extras, properties and conditions; a URL fits.
  package static let valueBytes = 2_048
  /// A regular expression: what it costs to look for grows with its length.
  package static let expressionBytes = 256
}
