import InAppMessaging
import Signatures
import UserNotifications
import Vocabulary
import Wire

// Who a name belongs to, and how another device of the person comes in.

extension People {
  mutating func perform(_ work: NameWork, on id: UserID) { perform(work, on: id, NameLanes.self) }

  /// What a credential proves; a code lets it in first.
  mutating func proof(
    of user: UserID, with hash: CredentialHash, _ code: String?, named name: String
  ) -> Proof {
    let credentials = names.credentials(of: user)
    if credentials.contains(hash) { return .proved }
    if let code { return .refused(meet(code, of: user, by: hash, named: name)) }
    guard credentials.isEmpty else {
      return .refused(ProtocolError(.credentialRefused, reason: "user"))
    }
    // Whoever came first could read what is there for the person.
    return hasOwner(user) ? .held : .unclaimed
  }

  /// Whether a person has used a name since before the server had keys.
  ///
  /// Notifications alone do not say so: older versions kept them for names that nobody had claimed.
  private func hasOwner(_ user: UserID) -> Bool {
    trays[user].map { $0.tray.isUsed } == true
      || users[user].map { $0.messaging.seq > 0 } == true
  }

  /// Whether there are messages or notifications of a person.
  private func keepsData(of user: UserID) -> Bool {
    trays[user] != nil || users[user].map { $0.messaging.seq > 0 } == true
  }

  /// Whether nothing can be kept for a person yet, because nobody has claimed the name.
  ///
  /// Whatever is kept for a name holds it, so it would keep the name's own person out.
  func isUnclaimed(_ user: UserID) -> Bool {
    mode == .keys && trays[user] == nil && names.credentials(of: user).isEmpty
  }

  /// Ties a name to a credential.
  ///
  /// - Parameters:
  ///   - user: the name.
  ///   - hash: the credential's.
  ///   - reply: to the request that showed a group's key; `nil` for a device that resumes, which is
  ///     its person's already.
  mutating func claim(_ user: UserID, _ hash: CredentialHash, _ reply: Reply?) {
    if reply != nil, names.credentials(of: user).isEmpty, trays[user] != nil, !hasOwner(user) {
      // What an older version kept for the name need not be for this person. Invitations come again.
      perform(TrayWork(command: .wipe), on: user)
    }
    change(user, by: .claim(hash), reply)
  }

  /// Changes a name that may be new, if there is room for it.
  private mutating func change(
    _ user: UserID, by command: NameAggregate.Command, _ reply: Reply?
  ) {
    if names.lanes[user] == nil {
      guard names.lanes.count < turn.limits.names else {
        return turn.refuse(reply, ProtocolError(.namesFull, limit: turn.limits.names))
      }
      names.add(user)
    }
    perform(NameWork(command: command, reply: reply), on: user)
  }

  /// Erases everything that belongs to a name that is nobody's any more, so that whoever claims it
  /// next finds nothing.
  fileprivate mutating func erase(freed user: UserID) {
    pairings.remove(user)
    if users[user] != nil { perform(UserWork(command: .wipe), on: user) }
    if trays[user] != nil { perform(TrayWork(command: .wipe), on: user) }
    turn.say(.front(.freed(user)))
  }

  // MARK: Listing

  /// Adds the known names to a report, as many as fit.
  func list(in report: inout StatusReport, _ connected: Set<UserID>, holdsNames: Bool) {
    let kept = Set(users.rooms.keys).union(trays.rooms.keys).filter { keepsData(of: $0) }
    let known = kept.union(names.lanes.keys)
    var bytes = encode(.status(0, report)).count
    for user in known.sorted() {
      let isClaimed = !names.credentials(of: user).isEmpty
      let name = StatusReport.Name(
        user, isConnected: connected.contains(user),
        isHeld: holdsNames && !isClaimed && hasOwner(user))
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

  /// Makes a code and tells it to the device that asked; the administrator's need not be confirmed.
  mutating func pair(_ user: UserID, isConfirmed: Bool, _ done: Reply) throws(ProtocolError) {
    try pairings.checkRoom(for: user, at: turn.now, turn.limits)
    let code = mintedText(turn.freshNumber(), digits: 8)
    let until = turn.now + turn.limits.pairingDeadline
    pairings.add(code, of: user, until: until, maker: isConfirmed ? nil : done.device)
    turn.send(.answer(done.id, .pairing(code: code, until: until)), to: done.device)
  }

  /// Handles a code that a new device shows.
  ///
  /// - Returns: why the device is not in yet.
  private mutating func meet(
    _ code: String, of user: UserID, by hash: CredentialHash, named name: String
  ) -> ProtocolError {
    switch pairings.show(code, of: user, by: hash, at: turn.now, turn.limits) {
    case .refused: return ProtocolError(.pairingRefused)
    case .first(let maker?): turn.send(.pairingAsked(name: name), to: maker)
    case .first(nil):
      pairings.remove(user)
      change(user, by: .pair(hash), nil)
    case .again: break
    }
    return ProtocolError(.pairingPending, retryAfter: Self.pairingPace)
  }

  /// How soon the new device asks again.
  private static let pairingPace = Duration.seconds(2)

  /// Lets the device in that showed the code, or does not.
  mutating func confirm(_ isConfirmed: Bool, _ user: UserID, _ done: Reply) throws(ProtocolError) {
    guard let hash = pairings.takeCandidate(of: user, for: done.device, at: turn.now) else {
      throw ProtocolError(.pairingRefused)
    }
    guard isConfirmed else { return turn.finish(done) }
    change(user, by: .pair(hash), done)
  }
}

/// The lanes of names.
enum NameLanes: LaneKind {
  typealias State = NameAggregate

  static func stream(_ id: UserID) -> AggregateID { .name(id) }
  static func subject(_ id: UserID) -> People.Subject { .name(id) }
  static var clockAdvanced: NameAggregate.Command { .clockAdvanced }

  static func change<Result>(
    _ id: UserID, in owner: inout People, _ body: (inout Lane<NameAggregate>) -> Result
  ) -> Result? {
    owner.names.change(id, body)
  }

  static func nextDeadline(of id: UserID, in owner: People) -> Instant? { nil }

  static func apply(
    _ event: NameEvent, at instant: Instant, to id: UserID, in owner: inout People
  ) {
    owner.names.change(id) { $0.evolve(event, at: instant) }
    switch event {
    // Nothing was posted while the name was nobody's.
    case .claimed: owner.turn.say(.groups(.reinvite(id)))
    case .paired: break
    case .freed: owner.erase(freed: id)
    }
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID, in owner: inout People
  ) {
    guard let reply = decided.work.reply else { return }
    if case .claim = decided.work.command {
      owner.turn.say(.front(.claimed(reply)))
    } else {
      owner.turn.finish(reply)
    }
  }

  static func miss(_ work: NameWork, on id: UserID, in owner: inout People) {
    // Nobody claimed the name, but there may be something for it.
    owner.erase(freed: id)
    owner.turn.finish(work.reply)
  }

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: UserID,
    in owner: inout People
  ) {}

  static func reconcile(_ id: UserID, in owner: inout People) {}

  /// Removes a name that is free.
  static func removeIfOver(_ id: UserID, in owner: inout People) {
    guard let lane = owner.names.lanes[id], lane.state.credentials.isEmpty, !lane.isAtWork,
      !lane.isPaused
    else { return }
    owner.names.remove(id)
    owner.turn.disarm(.name(id))
    if lane.state.seq > 0 { owner.turn.say(.output(.forget(.name(id)))) }
  }
}
