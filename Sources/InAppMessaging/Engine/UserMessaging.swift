package import Vocabulary

/// One person's messages: the person's attributes, deliveries and impressions.
///
/// Pure and event-sourced like a group's session: ``decide(_:at:under:)`` judges a command, and
/// ``evolve(_:at:)`` applies an event. Campaigns come with each command; a delivery holds what it
/// needs even if they change. Feed `.clockAdvanced` once ``nextDeadline(under:)`` has passed.
///
/// A person with three devices and ten attributes who saw twenty campaigns twice takes 1.7 KB in a
/// server, with identifiers as long as UUIDs and texts of some length: the collections are arrays in
/// order or bytes, and empty ones take nothing. `scripts/bench --only messages` measures it.
package struct UserMessaging: Equatable, Sendable {
  package let id: UserID
  /// The number of the last event; 0 before the first.
  package internal(set) var seq = 0
  package internal(set) var attributes = AttributeTable()
  /// The lists that the person is on, in order.
  package internal(set) var lists: [String] = []
  package internal(set) var collects = true
  package internal(set) var isPaused = false
  /// When the person last began to use the app, and when they were last there.
  package internal(set) var sessionStart: Instant?
  package internal(set) var lastSeen: Instant?
  /// When messages last came on the screen, for the intervals.
  package internal(set) var starts = LastStarts()
  /// Impressions by campaign; only campaigns that no longer exist are forgotten, see
  /// ``CampaignLimits/campaigns``.
  package internal(set) var history = ImpressionLog()
  /// Messages under way, the oldest first.
  package internal(set) var deliveries: [Delivery] = []
  /// Messages whose client went away, the latest last.
  package internal(set) var lapsed: [Delivery] = []
  /// Disconnected devices with deliveries, and until when those are kept.
  package internal(set) var lost: SortedMap<DeviceID, Instant> = [:]
  /// Campaigns that failed on a device, the latest last.
  package internal(set) var failed: [CampaignID] = []
  package internal(set) var marks = MarkTable()
  /// The number of the next delivery.
  package internal(set) var nextNumber = 1

  // Bounds that are no settings, because a replay must give the same state.

  /// Devices whose last event is remembered, and as many participations: a household.
  static let mostMarks = 8
  /// Lapsed deliveries remembered for late reports.
  static let mostLapsed = 8
  /// Campaigns that failed on a person's devices since the session began.
  static let mostFailed = 16

  /// A person without any data.
  package init(_ id: UserID) {
    self.id = id
  }

  /// Makes a person's messages from a snapshot.
  package init(
    id: UserID, seq: Int, attributes: AttributeTable, lists: [String],
    collects: Bool, isPaused: Bool, sessionStart: Instant?, lastSeen: Instant?,
    starts: LastStarts, history: ImpressionLog, deliveries: [Delivery],
    lapsed: [Delivery], lost: SortedMap<DeviceID, Instant>, failed: [CampaignID],
    marks: MarkTable, nextNumber: Int
  ) {
    self.id = id
    self.seq = seq
    self.attributes = attributes
    self.lists = lists
    self.collects = collects
    self.isPaused = isPaused
    self.sessionStart = sessionStart
    self.lastSeen = lastSeen
    self.starts = starts
    self.history = history
    self.deliveries = deliveries
    self.lapsed = lapsed
    self.lost = lost
    self.failed = failed
    self.marks = marks
    self.nextNumber = nextNumber
  }
}

extension UserMessaging {
  /// When the person was last active; `nil` if no device of theirs ever was.
  package var lastActive: Instant? {
    marks.lazy.map(\.value.at).reduce(lastSeen) { last, at in max(last ?? at, at) }
  }

  /// Whether nothing is known about the person any more.
  package var isBlank: Bool {
    guard marks.isEmpty, lastSeen == nil else { return false }
    var blank = UserMessaging(id)
    blank.seq = seq
    blank.nextNumber = nextNumber
    return self == blank
  }
}

/// When messages last came on the screen, by what triggered them.
package struct LastStarts: Equatable, Sendable {
  package var foreground: Instant?
  package var contextual: Instant?

  package init(foreground: Instant? = nil, contextual: Instant? = nil) {
    self.foreground = foreground
    self.contextual = contextual
  }
}
