package import Vocabulary

/// One attempt to hand one notification to the push service of one installation.
package struct PushMessage: Equatable, Sendable {
  /// Which push it is; the same in each attempt.
  package var id: PushID
  /// Where it goes.
  package var address: PushAddress
  /// The JSON object that travels, in UTF-8: 3993 bytes at most by Web Push, 4096 by APNs.
  package var payload: [UInt8]
  /// Whether it shows nothing; Apple treats those differently.
  package var isSilent: Bool
  /// What it is worth to the battery.
  package var urgency: PushUrgency
  /// When it is good for nothing any more; `nil` asks for one try by the push service, at once.
  ///
  /// A point in time and not a length, so that what waited does not live longer for it.
  package var expires: Instant?
  /// A later push with the same one takes its place where it still waits; of any length.
  package var collapseID: String?
  /// Which attempt it is, from 1.
  package var attempt: Int

  /// A push.
  package init(
    id: PushID, to address: PushAddress, payload: [UInt8], isSilent: Bool = false,
    urgency: PushUrgency = .normal, expires: Instant? = nil, collapseID: String? = nil,
    attempt: Int = 1
  ) {
    self.id = id
    self.address = address
    self.payload = payload
    self.isSilent = isSilent
    self.urgency = urgency
    self.expires = expires
    self.collapseID = collapseID
    self.attempt = attempt
  }
}
