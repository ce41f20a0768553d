public import Playback
public import Vocabulary

/// A participant for whom a start waits.
public struct AwaitedParticipant: Hashable, Identifiable, Sendable {
  /// The participant.
  public let id: ParticipantID
  /// The name that others see.
  public let name: String
  /// The suspensions that keep it away; empty while its player is not ready.
  public let suspensionReasons: Set<SuspensionReason>
}

extension GroupSession {
  /// The participants for whom a start of the item waits, sorted by their identifiers; empty unless
  /// the item is preparing.
  package func awaited(_ item: ItemID, at now: Instant) -> [AwaitedParticipant] {
    playback.waitingFor(item, at: now).map { id in
      let suspensions = playback.participants[id]?.suspensions ?? []
      return AwaitedParticipant(
        id: id, name: participants[id]?.name ?? id.text,
        suspensionReasons: Set(suspensions.map(\.reason)))
    }
  }
}
