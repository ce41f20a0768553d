public import Vocabulary
import Wire

extension GroupSession {
  /// Goes on here with what this person does on another device: from the phone to the television.
  ///
  /// This device joins with the other one's role; the other one is invalidated as handed off.
  ///
  /// - Parameter device: which of the person's devices; without it, the one that joined last.
  /// - Throws: ``GroupWatchError/Code/unknownParticipant`` if the person takes part with none.
  public func takeOver(from device: DeviceID? = nil) async throws(GroupWatchError) {
    let mine = try await ownParticipants().filter { device == nil || $0.device == device }
    guard let other = mine.last else {
      throw GroupWatchError(
        .unknownParticipant, "no other device of this person takes part", advice: "join instead")
    }
    try await client.join(core, handoffFrom: other.id)
  }

  /// With which other devices this person takes part, also before this one has joined.
  public func ownParticipants() async throws(GroupWatchError) -> [Participant] {
    let summary = try await client.status().sessions.first { $0.id == id }
    let me = client.identity
    return (summary?.participants ?? []).filter { $0.user == me.user && $0.device != me.device }
  }
}
