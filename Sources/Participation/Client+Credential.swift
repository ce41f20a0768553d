import Vocabulary
import Wire

// Proving who the person is, where the server asks for it. The app gives a credential before the
// first hello, before the current one expires, and after one has expired or was refused.

extension Client {
  /// Whether the app has to give a credential before the client can say hello.
  var lacksCredential: Bool { settings.givesCredentials && credential.isUseless(at: now) }

  /// Connects as soon as the app has given a credential.
  mutating func awaitCredential() {
    link.stage = .wanting
    if credential.stage == .settled { askForCredential() }
  }

  private mutating func askForCredential() {
    credential.stage = .asked(until: now + Credential.patience)
    publish(.credential(.wanted))
  }

  mutating func meetCredentialDeadline() {
    switch credential.stage {
    case .settled: break
    case .asked: failCredential("the app gave no credential in time")
    case .pausing: askForCredential()
    }
  }

  /// Handles that the app has no new credential; it is asked again after a pause.
  mutating func failCredential(_ why: String) {
    pauseBeforeAsking()
    if link.stage == .wanting { tellTrouble(why) }
    publish(.credential(.failed(why)))
  }

  private mutating func pauseBeforeAsking() {
    let pause = credential.backOff.pause(jitter: noise.next())
    credential.stage = .pausing(until: now + pause)
  }

  mutating func takeCredential(_ text: String) {
    if let refusal = credential.refusal, refusal.text == text, link.stage == .wanting {
      // The server has said what it thinks of this one.
      return end(.refused(refusal.error))
    }
    guard !text.isEmpty, text.utf8.count <= Limits().credentialBytes else {
      return failCredential("a credential has 1 to \(Limits().credentialBytes) bytes")
    }
    guard text != credential.text else {
      return failCredential("the app gave the same credential again")
    }
    credential.replace(with: text, at: now)
    if link.stage == .wanting { connect() }
    renewCredential()
  }

  /// Shows the server the new credential, if it is online and wants any.
  private mutating func renewCredential() {
    guard link.isOnline, link.access == .tokens, let text = credential.text,
      text != credential.shown
    else { return }
    credential.shown = text
    // It is added even if the limit of requests is reached: without it, all would end soon.
    pending.add(.renew(credential: text), .renewal, until: now + settings.requestTimeout)
    sendPending()
  }

  /// Drops renewals after a loss of the connection, because the next hello has the credential.
  mutating func dropRenewals() {
    _ = pending.takeAll { $0.asker == .renewal }
  }

  // MARK: What the server says

  mutating func hearExpiry(at instant: Instant) {
    guard settings.givesCredentials else { return }
    credential.expires = serverInstant.map { now + (instant - $0) }
    guard credential.stage == .settled else { return }
    if let given = credential.givenAt, now - given < Credential.proof {
      // The backend's credentials are shorter than the server's notice.
      return pauseBeforeAsking()
    }
    credential.backOff = BackOff()
    askForCredential()
  }

  /// Handles the credential's side of a welcome.
  mutating func enterCredential() {
    guard settings.givesCredentials else { return }
    acceptCredential()
    renewCredential()
  }

  private mutating func acceptCredential() {
    credential.refusal = nil
    publish(.credential(.accepted))
  }

  /// Handles that the server closes the connection for the sake of the credential.
  ///
  /// The client connects again with another one, unless the app has none, or the server has refused
  /// two in a row.
  mutating func loseCredential(_ error: ProtocolError) {
    guard settings.givesCredentials else { return end(.refused(error)) }
    // The app may have given another one in the meantime.
    if credential.text == credential.shown { credential.isSpent = true }
    if error.code != .credentialExpired {
      guard credential.refusal == nil else { return end(.refused(error)) }
      credential.refusal = Credential.Refusal(text: credential.shown, error: error)
    }
    drop(error.message)
    publish(.credential(.refused(error)))
  }

  mutating func settleRenewal(_ outcome: Outcome) {
    switch outcome {
    case .failed(.refused(let error)) where error.code == .credentialRefused: refuseRenewal(error)
    case .failed(.closed), .failed(.forgotten): break
    case .failed: failCredential("the server did not answer the renewal")
    case .answered, .reported, .explained, .listed, .object: acceptCredential()
    }
  }

  /// Handles that the server refused the new credential; the old one still holds for a while.
  private mutating func refuseRenewal(_ error: ProtocolError) {
    credential.isSpent = true
    publish(.credential(.refused(error)))
    // After a second refusal the app is asked once more, when the connection has ended.
    guard credential.refusal == nil else { return }
    credential.refusal = Credential.Refusal(text: credential.shown, error: error)
    pauseBeforeAsking()
  }
}
