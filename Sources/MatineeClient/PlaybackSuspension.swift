public import Playback
public import Vocabulary
import Wire

/// One absence of this device from coordinated playback.
public struct PlaybackSuspension: Sendable {
  private let number: SuspensionID
  /// Why.
  public let reason: SuspensionReason
  private let session: SessionID
  private let client: GroupWatchClient

  init(number: Int, reason: SuspensionReason, session: SessionID, client: GroupWatchClient) {
    self.number = number
    self.reason = reason
    self.session = session
    self.client = client
  }

  /// Steps back in, to where the group is; if a place is proposed and this was the last
  /// suspension, the group goes there.
  public func end(proposing place: MediaTime? = nil) async throws(GroupWatchError) {
    try await client.ask(.playback(session, .endSuspension(number, proposing: place)))
  }
}
