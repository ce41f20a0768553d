internal import Vocabulary

/// How much one campaign, and a set of them, may hold, each limit with its reason.
///
/// The reader of campaign files and the engine check the same limits: the reader names the line, and
/// the engine also sees campaigns that come from no file.
package enum CampaignLimits {
  /// Bytes of an identifier, as from a peer.
  package static let identifierBytes = Limits().identifierBytes
  /// Bytes of a name of a campaign, an event, a property or a list, as from a peer: apps cannot log
  /// longer names.
  package static let nameBytes = Limits().nameBytes
  /// Campaigns in any state; a person's history holds as many, so it forgets only campaigns that no
  /// longer exist.
  package static let campaigns = 256
  /// Live campaigns: the number that Braze allows, because every event is compared with each.
  package static let liveCampaigns = 200
  /// Triggers of a campaign: a filter tells more cases apart.
  package static let triggers = 16
  /// Filters of a trigger.
  package static let filters = 16
  /// Conditions of an audience in all: each is evaluated at each event.
  package static let conditions = 64
  /// Levels of conditions within conditions: people lose count after three.
  package static let nesting = 8
  /// Caps of a campaign: one for each usual window, and some more.
  package static let caps = 8
  /// The limit of a cap per session or per length of time: the history keeps an instant for each
  /// impression.
  package static let cap = 32
  /// Variants of a campaign: Braze allows eight and a control.
  package static let variants = 9
  /// The weight of a variant: shares go down to a hundredth of a percent.
  package static let weight = 10_000
  /// The longest delay: what comes more than a week later is another campaign.
  package static let delay = Duration.seconds(7 * 86_400)
  /// The longest time to live, for the same reason.
  package static let timeToLive = Duration.seconds(30 * 86_400)
}
