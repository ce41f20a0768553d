/// How much a push is worth to a device's battery (RFC 8030, 5.3).
package enum PushUrgency: String, CaseIterable, Sendable {
  /// An advertisement; on power and a free network.
  case veryLow = "very-low"
  /// An update of a topic; on power or a free network.
  case low
  /// A message of a chat; on neither.
  case normal
  /// A call, an invitation; also when the battery is nearly empty.
  case high
}
