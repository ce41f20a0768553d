import Coordination
import EventLoops
import MatineeClient
import Server
import Signatures

/// An app's backend, which signs tokens for one person; it can be away, or have a wrong key.
final class AppBackend: Sendable {
  struct Away: Error, CustomStringConvertible {
    var description: String { "the backend is away" }
  }

  struct State: Sendable {
    var isAway = false
    var secret = AppBackend.secret
    var lifetime: Int64 = 3_600
    var isAdministrator = false
    /// The tokens so far, with those that it failed to sign.
    var calls = 0
  }

  static let secret = "0123456789abcdef0123456789abcdef"
  static let otherSecret = "fedcba9876543210fedcba9876543210"

  let state = Locked(State())
  private let name: String
  private let (called, caller) = AsyncStream.makeStream(of: Int.self)

  init(for name: String, _ adjust: (inout State) -> Void = { _ in }) {
    self.name = name
    state.withLock { adjust(&$0) }
  }

  /// Waits for that many calls; for one reader.
  func isCalled(times: Int) async {
    for await count in called where count >= times { return }
  }

  func token() throws -> String {
    let state = state.withLock { state in
      state.calls += 1
      return state
    }
    caller.yield(state.calls)
    if state.isAway { throw Away() }
    let now = WallTime(seconds: WallClock.read().microseconds / 1_000_000)
    var contents = TokenContents(
      user: UserID("u-" + name), issued: now, expires: now + state.lifetime)
    contents.name = name
    contents.groups = GroupGrants(["room"])
    contents.isAdministrator = state.isAdministrator
    // No two are alike.
    contents.issuer = "call \(state.calls)"
    return try TokenSigner(contents: Array(state.secret.utf8)).token(for: contents)
  }
}

extension ServerConfiguration {
  /// Whoever comes in needs a token of the app's backend.
  mutating func askForTokens() {
    do {
      access = .tokens(
        try TokenVerifier(keys: try TokenKeys(contents: Array(AppBackend.secret.utf8))))
    } catch {
      preconditionFailure("the tests' key is one: \(error)")
    }
  }
}
