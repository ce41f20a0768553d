import Vocabulary
import Wire

/// What proves who the person is, and what a client does to get another one.
///
/// The app gives a credential before the first hello, before the current one expires, and after one
/// has expired or was refused.
struct Credential: Equatable, Sendable {
  private enum Stage: Equatable, Sendable {
    /// The app is not asked for anything.
    case settled
    /// The app was asked; the question fails at this time.
    case asked(until: HostTime)
    /// The app is asked again at this time.
    case pausing(until: HostTime)
  }

  /// A credential that the server refused since it last accepted one.
  private struct Refusal: Equatable, Sendable {
    let text: String?
    let error: ProtocolError
  }

  /// What the client has to do, in this order.
  enum Step: Equatable, Sendable {
    case tell(Client.CredentialState)
    /// Says why the client is not online.
    case tellTrouble(String)
    /// Connects, since the app has given a credential.
    case connect
    /// Shows the server the new credential, if it is online and wants any.
    case renew
    /// Drops the connection; another follows.
    case drop(String)
    /// Ends for good.
    case end(ProtocolError)
  }

  /// The limit for an answer of the app, whose backend may be slow.
  private static let patience = Duration.seconds(30)
  /// A credential that lasted for this long resets the back-off.
  private static let proof = Duration.seconds(5)

  private var stage = Stage.settled
  /// The credential that the app gave last.
  private var text: String?
  /// The credential that the server was shown last.
  private var shown: String?
  /// Whether the server no longer accepts ``text``.
  private var isSpent = false
  /// When ``text`` expires, once the server has said so.
  private var expires: HostTime?
  /// When the app gave ``text``.
  private var givenAt: HostTime?
  private var refusal: Refusal?
  private var backOff = Client.BackOff()

  init(text: String?) { self.text = text }

  /// Whether a server that asks for a credential would refuse this one.
  func isUseless(at now: HostTime) -> Bool {
    text == nil || isSpent || expires.map { $0 <= now } == true
  }

  var nextDeadline: HostTime? {
    switch stage {
    case .settled: nil
    case .asked(let moment), .pausing(let moment): moment
    }
  }

  /// The credential to show the server now.
  mutating func show() -> String? {
    shown = text
    return text
  }

  /// The credential to show a server that was shown another one; `nil` if it has seen the latest.
  mutating func showNew() -> String? { text == shown ? nil : show() }

  // MARK: The app

  /// Asks the app, unless it is asked already.
  mutating func want(at now: HostTime) -> [Step] { stage == .settled ? ask(at: now) : [] }

  /// Asks the app at once instead of after the pause.
  mutating func askAgain(at now: HostTime) -> [Step] {
    guard case .pausing = stage else { return [] }
    backOff = Client.BackOff()
    return ask(at: now)
  }

  private mutating func ask(at now: HostTime) -> [Step] {
    stage = .asked(until: now + Self.patience)
    return [.tell(.wanted)]
  }

  mutating func meetDeadline(
    isAwaited: Bool, at now: HostTime, _ noise: inout SplitMix64
  ) -> [Step] {
    switch stage {
    case .settled: []
    case .asked:
      fail("the app gave no credential in time", isAwaited: isAwaited, at: now, &noise)
    case .pausing: ask(at: now)
    }
  }

  /// Handles that the app has no new credential; it is asked again after a pause.
  ///
  /// - Parameter isAwaited: whether the client connects once it has one.
  mutating func fail(
    _ why: String, isAwaited: Bool, at now: HostTime, _ noise: inout SplitMix64
  ) -> [Step] {
    pause(at: now, &noise)
    return (isAwaited ? [.tellTrouble(why)] : []) + [.tell(.failed(why))]
  }

  private mutating func pause(at now: HostTime, _ noise: inout SplitMix64) {
    stage = .pausing(until: now + backOff.pause(jitter: noise.next()))
  }

  /// Takes what the app gives.
  mutating func take(
    _ text: String, isAwaited: Bool, at now: HostTime, _ noise: inout SplitMix64
  ) -> [Step] {
    if let refusal, refusal.text == text, isAwaited {
      // The server has said what it thinks of this one.
      return [.end(refusal.error)]
    }
    let longest = Limits().credentialBytes
    guard !text.isEmpty, text.utf8.count <= longest else {
      return fail(
        "a credential has 1 to \(longest) bytes", isAwaited: isAwaited, at: now, &noise)
    }
    guard text != self.text else {
      // An app may keep one for as long as it is good; it is asked again after a pause.
      guard isAwaited || isUseless(at: now) else {
        pause(at: now, &noise)
        return [.tell(.accepted)]
      }
      return fail(
        "the app gave the same credential again", isAwaited: isAwaited, at: now, &noise)
    }
    self.text = text
    (stage, isSpent, expires, givenAt) = (.settled, false, nil, now)
    return (isAwaited ? [.connect] : []) + [.renew]
  }

  // MARK: The server

  /// Handles that the server says when it expires; `nil` while the group's time is unknown.
  mutating func hearExpiry(
    at moment: HostTime?, now: HostTime, _ noise: inout SplitMix64
  ) -> [Step] {
    expires = moment
    guard stage == .settled else { return [] }
    if let givenAt, now - givenAt < Self.proof {
      // The backend's credentials are shorter than the server's notice.
      pause(at: now, &noise)
      return []
    }
    backOff = Client.BackOff()
    return ask(at: now)
  }

  /// Handles that the server accepted it.
  mutating func accept() -> [Step] {
    refusal = nil
    return [.tell(.accepted)]
  }

  /// Handles that the server closes the connection for the sake of the credential.
  ///
  /// The client connects again with another one, unless the server has refused two in a row.
  mutating func lose(_ error: ProtocolError) -> [Step] {
    // The app may have given another one in the meantime.
    if text == shown { isSpent = true }
    if error.code != .credentialExpired {
      guard refusal == nil else { return [.end(error)] }
      refusal = Refusal(text: shown, error: error)
    }
    return [.drop(error.message), .tell(.refused(error))]
  }

  /// Handles that the server refused the new credential; the old one still holds for a while.
  mutating func refuseRenewal(
    _ error: ProtocolError, at now: HostTime, _ noise: inout SplitMix64
  ) -> [Step] {
    isSpent = true
    // After a second refusal the app is asked once more, when the connection has ended.
    if refusal == nil {
      refusal = Refusal(text: shown, error: error)
      pause(at: now, &noise)
    }
    return [.tell(.refused(error))]
  }
}
