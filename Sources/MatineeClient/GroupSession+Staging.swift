import Vocabulary
import Wire

extension GroupSession {
  /// Turns a staged activity into a session that everyone may join; any member of the group may.
  public func activateStaged() async throws(GroupWatchError) {
    try await client.ask(.activateStaged(id))
  }

  /// Takes a staged activity back; only whoever staged it may.
  public func withdraw() async throws(GroupWatchError) {
    try await client.ask(.withdraw(id))
  }
}
