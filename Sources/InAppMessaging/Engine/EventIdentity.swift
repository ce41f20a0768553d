package import Vocabulary

/// Which event it is, so that the same one sent again after a cut is not taken for another.
package struct EventIdentity: Equatable, Sendable {
  package var source: EventSource
  /// Rising by source: what is not above the last one is a repeat.
  package var sequence: Int

  /// An identity.
  package init(_ source: EventSource, _ sequence: Int) {
    self.source = source
    self.sequence = sequence
  }
}

/// Who numbers events.
package enum EventSource: Hashable, Comparable, Sendable {
  /// A client, its own events and reports.
  case client(DeviceID)
  /// A stay in a group's session, the revisions of what is watched; a rejoin is another stay.
  case participant(ParticipantID)
}

/// The last event of a source.
package struct EventMark: Equatable, Sendable {
  /// The client's run; its numbers begin again with each.
  package var epoch: UInt64
  package var sequence: Int
  /// When it was last advanced.
  package var at: Instant

  /// A mark.
  package init(epoch: UInt64 = 0, sequence: Int, at: Instant) {
    self.epoch = epoch
    self.sequence = sequence
    self.at = at
  }
}
