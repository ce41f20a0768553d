import Signatures
import Vocabulary
import Wire

/// The codes that let other devices of people in.
struct Pairings: Sendable {
  private var pairings: [UserID: Pairing] = [:]

  /// Checks that there is room for a person's code.
  mutating func checkRoom(for user: UserID, at now: Instant, _ limits: Limits)
    throws(ProtocolError)
  {
    pairings = pairings.filter { $0.value.until > now }
    guard pairings.count < limits.pairings || pairings[user] != nil else { throw .busy(limits) }
  }

  /// Adds a code; an earlier one lets nobody in any more.
  ///
  /// - Parameters:
  ///   - code: the code.
  ///   - user: the person.
  ///   - until: when the code ends.
  ///   - maker: the device that asked for the code and confirms; `nil` if the administrator did,
  ///     who need not.
  mutating func add(_ code: String, of user: UserID, until: Instant, maker: DeviceID?) {
    pairings[user] = Pairing(code: code, until: until, maker: maker)
  }

  mutating func remove(_ user: UserID) { pairings[user] = nil }

  /// What comes of a code that a device shows.
  enum Showing {
    /// The code is wrong or over, or another device has shown it.
    case refused
    /// No other device has shown it; `nil` if nobody has to confirm.
    case first(confirmedBy: DeviceID?)
    /// This device has shown it before.
    case again
  }

  /// Handles a code that a new device shows; too many wrong ones end the person's code.
  mutating func show(
    _ code: String, of user: UserID, by hash: CredentialHash, at now: Instant, _ limits: Limits
  ) -> Showing {
    guard var pairing = pairings[user], now < pairing.until else { return .refused }
    let showing = pairing.show(code, by: hash)
    pairings[user] = pairing.wrong < limits.pairingTries ? pairing : nil
    return showing
  }

  /// Ends a code and returns the device that showed it; `nil` unless the code's maker asks in time.
  mutating func takeCandidate(of user: UserID, for maker: DeviceID, at now: Instant)
    -> CredentialHash?
  {
    guard let pairing = pairings[user], pairing.maker == maker, now < pairing.until,
      let candidate = pairing.candidate
    else { return nil }
    pairings[user] = nil
    return candidate
  }
}

/// A code that lets another device of a person in.
private struct Pairing: Sendable {
  let code: String
  let until: Instant
  let maker: DeviceID?
  var wrong = 0
  /// The device that showed the code.
  var candidate: CredentialHash?

  mutating func show(_ code: String, by hash: CredentialHash) -> Pairings.Showing {
    guard areEqualInConstantTime(code, self.code) else {
      wrong += 1
      return .refused
    }
    guard let candidate else {
      self.candidate = hash
      return .first(confirmedBy: maker)
    }
    return candidate == hash ? .again : .refused
  }
}
