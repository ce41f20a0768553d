package import Vocabulary

/// A campaign: which message is shown to whom, when, and how often.
package struct Campaign: Equatable, Sendable, Identifiable {
  package var id: CampaignID
  /// The author's name for it.
  package var name: String
  package var state: State
  /// Nothing is triggered before this instant; `nil` is open.
  package var start: Instant?
  /// Nothing is triggered from this instant on; `nil` is open.
  package var end: Instant?
  package var audience: Audience
  /// Any of them triggers it.
  package var triggers: [Trigger]
  package var priority: Priority
  package var reEligibility: ReEligibility
  /// All of them apply.
  package var caps: [FrequencyCap]
  package var interval: IntervalOverride
  /// From the trigger to the message.
  package var delay: Duration
  /// How long after the trigger the message may be shown; `nil` for the policy's default.
  package var timeToLive: Duration?
  /// Whether the audience is checked again after the delay.
  package var reevaluates: Bool
  /// Each person gets one of them, by weight.
  package var variants: [Variant]
  /// Whether its messages belong to the group's session that triggered them.
  package var bindsSession: Bool

  /// Whether and how a campaign runs.
  package enum State: String, Equatable, Sendable, CaseIterable {
    case draft
    case live
    case paused
    case stopped
    /// As stopped, and taken from the screens where it is shown.
    case recalled
  }

  /// A live campaign for everyone, once each.
  package init(id: CampaignID, name: String, triggers: [Trigger], variants: [Variant]) {
    self.id = id
    self.name = name
    self.triggers = triggers
    self.variants = variants
    state = .live
    audience = .all
    priority = Priority()
    reEligibility = .never
    caps = []
    interval = .inherit
    delay = .zero
    reevaluates = false
    bindsSession = false
  }

  /// Which campaign goes first if several match: the higher bucket, then the smaller rank.
  package struct Priority: Equatable, Sendable {
    package var bucket: Bucket
    package var rank: Int

    package init(_ bucket: Bucket = .medium, rank: Int = 0) {
      self.bucket = bucket
      self.rank = rank
    }

    /// Braze's three buckets.
    package enum Bucket: String, Equatable, Sendable, CaseIterable {
      case high
      case medium
      case low
    }
  }

  /// One of the messages that a campaign's people are divided among.
  package struct Variant: Equatable, Sendable {
    package var id: String
    /// Its share, relative to the other variants.
    package var weight: Int
    package var content: Content

    package init(id: String, weight: Int = 1, _ content: Content) {
      self.id = id
      self.weight = weight
      self.content = content
    }
  }

  /// What the people of a variant get.
  package enum Content: Equatable, Sendable {
    /// The message, whose texts are templates; its id and campaign are filled in at delivery.
    case message(InAppMessage)
    /// Nothing is shown, but impressions are counted, for comparison.
    case control
  }
}

/// Whether a person who has seen a campaign's message may see it again.
package enum ReEligibility: Equatable, Sendable {
  case never
  /// So long after the last impression; zero means always.
  case after(Duration)
}

/// How often at most a person sees a campaign's messages.
package struct FrequencyCap: Equatable, Sendable {
  package var limit: Int
  package var window: Window

  package init(_ limit: Int, per window: Window) {
    self.limit = limit
    self.window = window
  }

  /// The window in which impressions are counted.
  package enum Window: Equatable, Sendable {
    case ever
    /// Since the person last began to use the app.
    case session
    case rolling(Duration)
  }
}

/// How far apart messages come: Braze's and Firebase's throttles in one form.
package struct IntervalRule: Equatable, Sendable {
  /// The interval applies to messages whose trigger is of these classes.
  package var appliesTo: Set<TriggerClass>
  /// The interval counts from the last message whose trigger was of these classes.
  package var startedBy: Set<TriggerClass>
  package var minimum: Duration

  /// Braze's: any two messages are 30 s apart.
  package static let braze = IntervalRule(
    appliesTo: [.foreground, .contextual], startedBy: [.foreground, .contextual],
    minimum: .seconds(30))

  /// Firebase's: messages triggered by opening the app come once in 24 h, others without an
  /// interval.
  package static let firebase = IntervalRule(
    appliesTo: [.foreground], startedBy: [.foreground], minimum: .seconds(86_400))
}

/// A campaign's override of the interval rules.
package enum IntervalOverride: Equatable, Sendable {
  case inherit
  case ignore
  /// An interval of its own since the last message of any class.
  case atLeast(Duration)
}

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
