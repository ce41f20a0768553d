import InAppMessaging
import Signatures
import UserNotifications
import Vocabulary
import Wire

// Who a name belongs to, and how another device of the person comes in.

/// A code that lets another device of a person in.
struct Pairing: Equatable, Sendable {
  let code: String
  let until: Instant
  /// The device that asked for the code and confirms; `nil` if the administrator did, who need not.
  let maker: DeviceID?
  private(set) var wrong = 0
  /// The device that showed the code.
  private(set) var candidate: CredentialHash?

  init(code: String, until: Instant, maker: DeviceID?) {
    self.code = code
    self.until = until
    self.maker = maker
  }

  enum Showing: Equatable {
    /// The code is wrong, or another device has shown it.
    case refused
    case first
    case again
  }

  mutating func show(_ code: String, by hash: CredentialHash) -> Showing {
    guard areEqualInConstantTime(code, self.code) else {
      wrong += 1
      return .refused
    }
    guard let candidate else {
      self.candidate = hash
      return .first
    }
    return candidate == hash ? .again : .refused
  }
}

extension People {
  mutating func perform(_ work: NameWork, on id: UserID) { perform(work, on: id, NameLanes.self) }

  /// What a credential proves; a code lets it in first.
  mutating func proof(
    of user: UserID, with hash: CredentialHash, _ code: String?, named name: String
  ) -> Proof {
    let credentials = names[user]?.name.credentials ?? []
    if credentials.contains(hash) { return .proved }
    if let code { return .refused(meet(code, of: user, by: hash, named: name)) }
    guard credentials.isEmpty else {
      return .refused(ProtocolError(.credentialRefused, reason: "user"))
    }
    // Whoever came first could read what is there for the person.
    return keepsData(of: user) ? .held : .unclaimed
  }

  /// Whether there are messages or notifications of a person.
  private func keepsData(of user: UserID) -> Bool {
    trays[user] != nil || users[user].map { $0.messaging.seq > 0 } == true
  }

  /// Whether nothing can be kept for a person yet, because nobody has claimed the name.
  ///
  /// Whatever is kept for a name holds it, so it would keep the name's own person out.
  func isUnclaimed(_ user: UserID) -> Bool {
    mode == .keys && trays[user] == nil && names[user]?.name.credentials.isEmpty != false
  }

  /// Ties a name to a credential, once its person has shown a group's key.
  mutating func claim(_ user: UserID, _ hash: CredentialHash, _ reply: Reply?) {
    change(user, by: .claim(hash), reply)
  }

  /// Changes a name that may be new, if there is room for it.
  private mutating func change(
    _ user: UserID, by command: NameAggregate.Command, _ reply: Reply?
  ) {
    if names[user] == nil {
      guard names.count < turn.limits.names else {
        return turn.refuse(reply, ProtocolError(.namesFull, limit: turn.limits.names))
      }
      names[user] = NameRoom()
    }
    perform(NameWork(command: command, reply: reply), on: user)
  }

  /// Erases everything that belongs to a name that is nobody's any more, so that whoever claims it
  /// next finds nothing.
  mutating func erase(freed user: UserID) {
    pairings[user] = nil
    if users[user] != nil { perform(UserWork(command: .wipe), on: user) }
    if trays[user] != nil { perform(TrayWork(command: .wipe), on: user) }
    turn.say(.front(.freed(user)))
  }

  // MARK: Listing

  /// Adds the known names to a report, as many as fit.
  func list(in report: inout StatusReport, _ connected: Set<UserID>, holdsNames: Bool) {
    let kept = Set(users.keys).union(trays.keys).filter { keepsData(of: $0) }
    let known = kept.union(names.keys)
    var bytes = encode(.status(0, report)).count
    for user in known.sorted() {
      let isClaimed = names[user]?.name.credentials.isEmpty == false
      let name = StatusReport.Name(
        user, isConnected: connected.contains(user), isHeld: holdsNames && !isClaimed)
      // An escaped byte takes six.
      bytes += 64 + 6 * user.text.utf8.count
      guard bytes <= turn.limits.statusBytes else {
        report.hasMoreNames = true
        return
      }
      report.names.append(name)
    }
  }

  // MARK: Pairing

  /// Makes a code and tells it to the device that asked.
  mutating func pair(_ user: UserID, isConfirmed: Bool, _ done: Reply) throws(ProtocolError) {
    let pairing = try newPairing(of: user, by: isConfirmed ? nil : done.device)
    turn.send(.answer(done.id, .pairing(code: pairing.code, until: pairing.until)), to: done.device)
  }

  /// Makes a code; an earlier one lets nobody in any more.
  private mutating func newPairing(of user: UserID, by maker: DeviceID?) throws(ProtocolError)
    -> Pairing
  {
    let now = turn.now
    pairings = pairings.filter { $0.value.until > now }
    guard pairings.count < turn.limits.pairings || pairings[user] != nil else {
      throw .busy(turn.limits)
    }
    let pairing = Pairing(
      code: mintedText(turn.freshNumber(), digits: 8), until: now + turn.limits.pairingDeadline,
      maker: maker)
    pairings[user] = pairing
    return pairing
  }

  /// Handles a code that a new device shows.
  ///
  /// - Returns: why the device is not in yet.
  private mutating func meet(
    _ code: String, of user: UserID, by hash: CredentialHash, named name: String
  ) -> ProtocolError {
    guard var pairing = pairings[user], turn.now < pairing.until else {
      return ProtocolError(.pairingRefused)
    }
    let showing = pairing.show(code, by: hash)
    pairings[user] = pairing.wrong < turn.limits.pairingTries ? pairing : nil
    switch showing {
    case .refused: return ProtocolError(.pairingRefused)
    case .first:
      if let maker = pairing.maker {
        turn.send(.pairingAsked(name: name), to: maker)
      } else {
        letIn(hash, of: user, nil)
      }
    case .again: break
    }
    return ProtocolError(.pairingPending, retryAfter: Self.pairingPace)
  }

  /// How soon the new device asks again.
  private static let pairingPace = Duration.seconds(2)

  /// Lets the device in that showed the code, or does not.
  mutating func confirm(_ isConfirmed: Bool, _ user: UserID, _ done: Reply) throws(ProtocolError) {
    guard let pairing = pairings[user], pairing.maker == done.device, turn.now < pairing.until,
      let hash = pairing.candidate
    else { throw ProtocolError(.pairingRefused) }
    guard isConfirmed else {
      pairings[user] = nil
      return turn.finish(done)
    }
    letIn(hash, of: user, done)
  }

  private mutating func letIn(_ hash: CredentialHash, of user: UserID, _ reply: Reply?) {
    pairings[user] = nil
    change(user, by: .pair(hash), reply)
  }
}
