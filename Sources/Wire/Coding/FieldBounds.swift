import UserNotifications
package import Vocabulary

/// The maximum lengths of a line's fields, and the ranges of its times.
///
/// ``Limits`` apply to what peers send. What a server or a journal says was checked before, perhaps
/// against other limits, so only the length of the line limits it.
package struct FieldBounds: Equatable, Sendable {
  var identifierBytes: Int
  /// Whether identifiers may contain control characters; those from peers may not, because the
  /// journal's columns end at a NUL, and terminals interpret the others.
  var identifiersMayHoldControls: Bool
  /// Whether identifiers may be empty, which older journals allowed for people and trays.
  var identifiersMayBeEmpty = false
  var itemBytes: Int
  var titleBytes: Int
  var activityBytes: Int
  var messageBytes: Int
  var attachmentMetadataBytes: Int
  var queueEntries: Int
  var interstitials: Int
  var participants: Int
  /// Names of events, properties, attributes and lists.
  var nameBytes: Int
  /// The properties of an event.
  var properties: PropertyBounds
  /// The attributes of a person.
  var attributes: PropertyBounds
  var deliveries: Int
  /// People invited by one request.
  var invitations: Int
  /// The lifetime of an invitation, in microseconds.
  var lifetimes: ClosedRange<Int64>
  /// The token of an invitation.
  var tokenBytes: Int
  /// The longest token of a backend.
  var credentialBytes: Int
  /// A group's key, or the administrator's.
  var keyBytes: Int
  var topicBytes: Int
  /// Each text of a push endpoint.
  var endpointBytes: Int
  /// A notification's identifier.
  var notificationBytes: Int
  /// Notifications named in one request.
  var notifications: Int
  /// A collapse identifier.
  var collapseBytes: Int
  /// The text of a response.
  var replyBytes: Int
  /// The time to live of a notification, in microseconds.
  var timesToLive: ClosedRange<Int64>
  /// The nesting of lists and objects in an app's value.
  var payloadLevels: Int
  /// The maximum wait of a waiting policy, in microseconds.
  var waits: ClosedRange<Int64>
  /// Instants, media times and durations, in microseconds.
  var times: ClosedRange<Int64>

  /// Versions in a hello: one per year for sixteen years.
  static let versions = 16
  /// Features in a hello, and reasons and limits in a waiting policy: more than exist.
  static let words = 32
  /// A notification's identifier, which the server makes: longer than any of them.
  static let notificationNameBytes = 256
  /// Integers up to this one, 2^53, are exact in every language's floating point.
  static let exactIntegers: ClosedRange<Int64> = 0...1 << 53

  /// The bounds for peers of a server with these limits.
  package init(_ limits: Limits) {
    identifierBytes = limits.identifierBytes
    identifiersMayHoldControls = false
    itemBytes = limits.itemBytes
    titleBytes = limits.titleBytes
    activityBytes = limits.activityBytes
    messageBytes = limits.messageBytes
    attachmentMetadataBytes = limits.attachmentMetadataBytes
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
    // It contains a session and a person in Base64, and 60 more bytes.
    tokenBytes = 4 * limits.identifierBytes + 256
    credentialBytes = limits.credentialBytes
    keyBytes = Limits.keyBytes
    // A word, an owner and a name.
    topicBytes = 2 * limits.identifierBytes + 8
    let trays = TrayPolicy()
    endpointBytes = trays.endpointBytes
    notificationBytes = Self.notificationNameBytes
    notifications = trays.notifications
    collapseBytes = trays.collapseBytes
    replyBytes = trays.payloadBytes
    timesToLive = 1...trays.longestTimeToLive.microseconds
    payloadLevels = Limits.payloadLevels
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
    attachmentMetadataBytes = bound
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
    credentialBytes = bound
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

  /// The bounds for lines from a server, and for a journal.
  package static let line = FieldBounds(all: .max)

  /// The bounds for a journal's people and trays.
  static let journal: FieldBounds = {
    var bounds = line
    bounds.identifiersMayBeEmpty = true
    return bounds
  }()
}

/// The maximum number and lengths of properties.
struct PropertyBounds: Equatable, Sendable {
  var count: Int
  var nameBytes: Int
  /// Of each text, and of all texts of an array together.
  var valueBytes: Int
  /// Of each array.
  var listTexts: Int
  /// Of all names and texts together.
  var bytes: Int

  /// Only the length of the line limits what a server or a journal says.
  static let line = PropertyBounds(
    count: .max, nameBytes: .max, valueBytes: .max, listTexts: .max, bytes: .max)
}
