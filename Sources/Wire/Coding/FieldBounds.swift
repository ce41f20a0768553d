package import Vocabulary

/// How long the fields of a line may be, and which times they may hold.
///
/// What a peer sends is held to ``Limits``; what a server or a journal says is bounded by its
/// line's length alone, since it was held to the limits before, perhaps to others than ours.
package struct FieldBounds: Equatable, Sendable {
  var identifierBytes: Int
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
  /// How long a waiting policy may wait, in microseconds.
  var waits: ClosedRange<Int64>
  /// Instants, media times and durations, in microseconds.
  var times: ClosedRange<Int64>

  /// Versions in a hello: one a year for sixteen years.
  static let versions = 16
  /// Features in a hello, reasons and limits in a waiting policy: more than there are words for.
  static let words = 32
  /// Whole numbers up to here are exact in every language's floating point: 2^53.
  static let exactIntegers: ClosedRange<Int64> = 0...1 << 53

  /// The bounds for what peers send to a server with these limits.
  package init(_ limits: Limits) {
    identifierBytes = limits.identifierBytes
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
    waits = 0...limits.longestWait.microseconds
    times = Self.exactIntegers
  }

  private init(all bound: Int) {
    identifierBytes = bound
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
    waits = .min ... .max
    times = .min ... .max
  }

  /// The bounds for what a server or a journal says.
  package static let line = FieldBounds(all: .max)
}
