import UserNotifications
package import Vocabulary

/// How long the fields of a line may be, and which times they may hold.
///
/// What a peer sends is held to ``Limits``; what a server or a journal says is bounded by its
/// line's length alone, since it was held to the limits before, perhaps to others than ours.
package struct FieldBounds: Equatable, Sendable {
  var identifierBytes: Int
  /// Whether identifiers may hold control characters: those that peers choose may not, since the
  /// journal's columns end at a zero, and terminals obey the others.
  var identifiersMayHoldControls: Bool
  /// Whether identifiers may be empty, as a journal's of people and trays always could.
  var identifiersMayBeEmpty = false
  var itemBytes: Int
  var titleBytes: Int
  var activityBytes: Int
  var messageBytes: Int
  var queueEntries: Int
  var interstitials: Int
  var participants: Int
  /// Names of events, properties, attributes and lists.
  var nameBytes: Int
  /// Of an event.
  var properties: PropertyBounds
  /// Of a person.
  var attributes: PropertyBounds
  var deliveries: Int
  /// People who are invited at once.
  var invitations: Int
  /// How long an invitation may stand, in microseconds.
  var lifetimes: ClosedRange<Int64>
  /// The token of an invitation.
  var tokenBytes: Int
  /// The administrator's key.
  var keyBytes: Int
  var topicBytes: Int
  /// Each text of a push endpoint.
  var endpointBytes: Int
  /// A notification's name.
  var notificationBytes: Int
  /// Notifications that are named at once.
  var notifications: Int
  /// What notifications are collapsed by.
  var collapseBytes: Int
  /// The text of a response.
  var replyBytes: Int
  /// How long a notification may stand, in microseconds.
  var timesToLive: ClosedRange<Int64>
  /// Lists and objects inside one another in a payload.
  var payloadLevels: Int
  /// How long a waiting policy may wait, in microseconds.
  var waits: ClosedRange<Int64>
  /// Instants, media times and durations, in microseconds.
  var times: ClosedRange<Int64>

  /// Versions in a hello: one a year for sixteen years.
  static let versions = 16
  /// Features in a hello, reasons and limits in a waiting policy: more than there are words for.
  static let words = 32
  /// Of a notification's name, which is the server's: more than it ever gives one.
  static let notificationNameBytes = 256
  /// Whole numbers up to here are exact in every language's floating point: 2^53.
  static let exactIntegers: ClosedRange<Int64> = 0...1 << 53

  /// The bounds for what peers send to a server with these limits.
  package init(_ limits: Limits) {
    identifierBytes = limits.identifierBytes
    identifiersMayHoldControls = false
    itemBytes = limits.itemBytes
    titleBytes = limits.titleBytes
    activityBytes = limits.activityBytes
    messageBytes = limits.messageBytes
    queueEntries = limits.queueEntries
    interstitials = limits.interstitials
    participants = limits.participants
    nameBytes = limits.nameBytes
    properties = PropertyBounds(
      count: limits.eventProperties, nameBytes: limits.nameBytes, valueBytes: limits.eventBytes,
      listTexts: limits.listTexts, bytes: limits.eventBytes)
    attributes = PropertyBounds(
      count: limits.attributes, nameBytes: limits.nameBytes, valueBytes: limits.attributeBytes,
      listTexts: limits.listTexts, bytes: .max)
    deliveries = limits.deliveries
    invitations = limits.invitations
    lifetimes = 1...max(1, limits.longestInvitation.microseconds)
    // It names a session and a person, in Base64, beside 60 bytes of its own.
    tokenBytes = 4 * limits.identifierBytes + 256
    keyBytes = 512
    // A word, an owner and a name.
    topicBytes = 2 * limits.identifierBytes + 8
    let trays = TrayPolicy()
    endpointBytes = trays.endpointBytes
    notificationBytes = Self.notificationNameBytes
    notifications = trays.notifications
    collapseBytes = trays.collapseBytes
    replyBytes = trays.payloadBytes
    timesToLive = 1...trays.longestTimeToLive.microseconds
    payloadLevels = 16
    waits = 0...limits.longestWait.microseconds
    times = Self.exactIntegers
  }

  private init(all bound: Int) {
    identifierBytes = bound
    identifiersMayHoldControls = true
    itemBytes = bound
    titleBytes = bound
    activityBytes = bound
    messageBytes = bound
    queueEntries = bound
    interstitials = bound
    participants = bound
    nameBytes = bound
    properties = .line
    attributes = .line
    deliveries = bound
    invitations = bound
    lifetimes = .min ... .max
    tokenBytes = bound
    keyBytes = bound
    topicBytes = bound
    endpointBytes = bound
    notificationBytes = bound
    notifications = bound
    collapseBytes = bound
    replyBytes = bound
    timesToLive = .min ... .max
    payloadLevels = bound
    waits = .min ... .max
    times = .min ... .max
  }

  /// The bounds for what a server or a journal says.
  package static let line = FieldBounds(all: .max)

  /// The bounds for what a journal says of people and of trays.
  static let journal: FieldBounds = {
    var bounds = line
    bounds.identifiersMayBeEmpty = true
    return bounds
  }()
}

/// How many properties there may be, and how long.
struct PropertyBounds: Equatable, Sendable {
  var count: Int
  var nameBytes: Int
  /// Of each text, and of those of an array together.
  var valueBytes: Int
  /// In each array.
  var listTexts: Int
  /// Of all names and texts together.
  var bytes: Int

  /// What a server or a journal says is bounded by its line alone.
  static let line = PropertyBounds(
    count: .max, nameBytes: .max, valueBytes: .max, listTexts: .max, bytes: .max)
}
