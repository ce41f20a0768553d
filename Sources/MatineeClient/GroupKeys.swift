import Participation
public import Vocabulary
import Wire

// The founder's rights, and other devices of the same person, where the server has access by keys.

extension Secret {
  /// Makes a new secret from the system's randomness.
  public init() {
    var system = SystemRandomNumberGenerator()
    self.init(using: &system)
  }
}

extension GroupWatchClient {
  /// Gives the group another key, so that its old links open it no more; those who were let in
  /// before need none.
  ///
  /// - Throws: ``GroupWatchError/Code/notFounder`` unless this person opened the group.
  public func changeGroupKey() async throws(GroupWatchError) {
    try await ask(.changeKey())
  }

  /// Removes a person from the group for good, with all their devices, and changes its key, if any.
  ///
  /// - Throws: ``GroupWatchError/Code/notFounder`` unless this person opened the group, and for the
  ///   founder themselves.
  public func removeFromGroup(_ user: UserID) async throws(GroupWatchError) {
    try await ask(.removeUser(user))
  }

  /// Makes a code with which another device of this person comes in, once this one confirms it.
  ///
  /// The other device connects under the same name with ``ClientOptions/pairingCode``;
  /// ``pairingRequest`` then has its name.
  public func pairDevice() async throws(GroupWatchError) -> PairingCode {
    try await pairingCode(.pair())
  }

  /// Asks for a code.
  func pairingCode(_ request: Request) async throws(GroupWatchError) -> PairingCode {
    switch await outcome(of: request) {
    case .answered(.pairing(let code, let until)): return PairingCode(text: code, expires: until)
    case .failed(let failure): throw GroupWatchError(failure)
    default: throw .closedSession
    }
  }

  /// The name of the device that showed this one's code and waits to be let in; `nil` for none.
  public var pairingRequest: Observed<String?> { shared.pairingRequest }

  /// Lets the waiting device in, or does not.
  ///
  /// - Throws: ``GroupWatchError/Code/pairingRefused`` if the device waits no longer, because the
  ///   code has expired.
  public func confirmPairing(_ isConfirmed: Bool) async throws(GroupWatchError) {
    do throws(GroupWatchError) {
      try await ask(.confirmPairing(isConfirmed))
    } catch {
      if error.code == .pairingRefused { shared.pairingRequest.set(nil) }
      throw error
    }
    shared.pairingRequest.set(nil)
  }
}

/// A code that lets another device of a person in; one device, for five minutes by default.
public struct PairingCode: Equatable, Sendable {
  /// Eight letters and digits.
  public let text: String
  /// When it becomes worthless.
  public let expires: Instant
}

extension GroupStateObserver {
  /// The key of the group that this device is in; `nil` if it has none.
  ///
  /// Any member may pass it on: a ``GroupLink`` with it lets others in.
  public var key: Observed<String?> { shared.groupKey }
}
