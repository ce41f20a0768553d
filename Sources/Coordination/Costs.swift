import GroupSessions
import Playback
import Vocabulary
import Wire

/// What people make the server do with their requests, in bytes that it stores or sends.
///
/// A command's cost is taken before it is decided, from the allowances of the person, of the address
/// that it comes from and, if it is one person's act on everybody, of the group; a command that changes
/// nothing costs nothing. An address has an allowance because anybody may go by any number of names.
struct Costs: Sendable {
  private var people: RateLimit<UserID>
  private var addresses: RateLimit<PeerAddress>
  private var groups: RateLimit<GroupID>

  init(_ limits: Limits) {
    people = RateLimit(
      burst: limits.userCostBurst, perSecond: limits.userCostPerSecond, sources: limits.peers)
    addresses = RateLimit(
      burst: limits.addressCostBurst, perSecond: limits.addressCostPerSecond,
      sources: limits.peers)
    groups = RateLimit(
      burst: limits.groupCostBurst, perSecond: limits.groupCostPerSecond, sources: limits.groups)
  }

  /// Takes a cost, or says which allowance is used up.
  mutating func take(_ cost: Cost, at now: Instant) throws(ProtocolError) {
    if let wait = people.wait(for: cost.user, cost: cost.bytes, at: now) {
      throw ProtocolError(.rateLimited, reason: "user", retryAfter: wait)
    }
    if let address = cost.address,
      let wait = addresses.wait(for: address, cost: cost.bytes, at: now)
    {
      throw ProtocolError(.rateLimited, reason: "address", retryAfter: wait)
    }
    if let group = cost.group, let wait = groups.wait(for: group, cost: cost.bytes, at: now) {
      throw ProtocolError(.rateLimited, reason: "group", retryAfter: wait)
    }
    people.note(cost.user, cost: cost.bytes, at: now)
    if let address = cost.address { addresses.note(address, cost: cost.bytes, at: now) }
    if let group = cost.group { groups.note(group, cost: cost.bytes, at: now) }
  }

  /// Gives back the cost of a command that was refused, or changed nothing.
  mutating func giveBack(_ cost: Cost, at now: Instant) {
    people.giveBack(cost.bytes, to: cost.user, at: now)
    if let address = cost.address { addresses.giveBack(cost.bytes, to: address, at: now) }
    if let group = cost.group { groups.giveBack(cost.bytes, to: group, at: now) }
  }
}

/// What a command costs, and whom.
struct Cost: Equatable, Sendable {
  let bytes: Int
  let user: UserID
  /// Where the person's request comes from; `nil` for this machine, which may be a proxy.
  let address: PeerAddress?
  /// `nil` if it is not taken from the group's allowance.
  var group: GroupID?

  /// What is passed on: the journal stores it once, and each receiver is sent it.
  static func passing(_ bytes: Int, to receivers: Int) -> Int {
    bytes + receivers * (bytes + delivery)
  }

  /// What is made for one receiver alone: encoding a byte takes 25 ns, in which twelve are written.
  static func answering(_ bytes: Int) -> Int { 12 * bytes + delivery }

  /// What it takes to find out how large an answer is, before it is known whether it may be given.
  ///
  /// - Parameter count: how many values have to be looked at, each for 50 ns.
  static func weighing(_ count: Int) -> Int { 128 * count }

  /// What is not worth counting: a person with twenty devices that send as many messages as they
  /// may stays within the allowance.
  static let negligible = 64 * 1024

  /// A delivery costs 8.7 µs, in which 4 KiB are written.
  private static let delivery = 4_096
}

extension Groups {
  /// Takes what it costs to pass bytes on to a session from the allowances of the person, of the
  /// address and, if it is for all, of the group.
  ///
  /// - Returns: the cost, to be given back if nothing comes of the command; `nil` if it is
  ///   negligible.
  mutating func takeCost(
    ofPassing bytes: Int?, isForAll: Bool, by device: DeviceID, in id: SessionID
  ) throws(ProtocolError) -> Cost? {
    guard let bytes,
      let receivers = sessions[id]?.lane.state.session?.participants.count
    else { return nil }
    let total = Cost.passing(bytes, to: receivers)
    guard total > Cost.negligible, let seat = seats[device],
      let group = sessions[id]?.lane.state.session?.group
    else { return nil }
    let cost = Cost(
      bytes: total, user: seat.user, address: seat.address, group: isForAll ? group : nil)
    try costs.take(cost, at: turn.now)
    return cost
  }

  /// Takes what it costs to tell a group what a device has changed, as when it joins: who joins and
  /// leaves again and again would make the server send to all members each time.
  mutating func takeCost(ofTelling id: GroupID, by seat: Seat) throws(ProtocolError) {
    guard let members = groups[id]?.group?.members.count else { return }
    let bytes = Cost.passing(seat.member.byteBound, to: members)
    guard bytes > Cost.negligible else { return }
    try costs.take(Cost(bytes: bytes, user: seat.user, address: seat.address), at: turn.now)
  }
}

extension GroupCommand {
  /// Whether telling the members counts; not what ends something, which must always be possible.
  var isCounted: Bool {
    switch self {
    case .join, .setSharing, .setPreferredDevice, .changeKey: true
    case .leave, .lose, .resume, .interrupt, .startSession, .endSession, .close, .removeUser,
      .clockAdvanced:
      false
    }
  }
}

extension SessionCommand {
  /// How many bytes its events have at most; `nil` if the command is free.
  ///
  /// Free is what everybody does who takes part, going and reports of players, and what is not a
  /// person's act; a joining costs its own.
  var passedBytes: Int? {
    switch self {
    case .send(let message, _, _): Self.envelope + message.byteBound
    case .setActivity(let activity, _, _): Self.envelope + activity.byteBound
    case .queue(let command, _): Self.envelope + command.passedBytes
    case .playback(let command, _): command.passedBytes.map { Self.envelope + $0 }
    case .invite(let users, _, let id):
      id == nil ? nil : users.reduce(Self.envelope) { $0 + $1.byteBound }
    case .revokeInvitations(let users, _): users.reduce(Self.envelope) { $0 + $1.byteBound }
    case .setRole, .setReadyToStart, .setControl, .setWaitingPolicy, .setDismissalPolicy:
      Self.envelope
    case .activate, .withdraw, .join, .leave, .dismiss, .decline, .answerInvitation, .end, .remove,
      .lose, .resume, .interrupt, .initiatorGone, .terminate, .clockAdvanced:
      nil
    }
  }

  /// Whether it is one person's act on everybody, of which a group needs few; not what each of
  /// thousands does once when something begins.
  var isForAll: Bool {
    switch self {
    case .send, .setActivity, .queue, .setRole, .setControl, .setWaitingPolicy,
      .setDismissalPolicy, .invite, .revokeInvitations:
      true
    case .playback(.play, _), .playback(.pause, _), .playback(.seek, _), .playback(.setRate, _):
      true
    case .activate, .withdraw, .join, .leave, .dismiss, .decline, .answerInvitation, .end, .remove,
      .setReadyToStart, .playback, .lose, .resume, .interrupt, .initiatorGone, .terminate,
      .clockAdvanced:
      false
    }
  }

  /// The fields of an event that every command has.
  static let envelope = 256
}

extension QueueCommand {
  fileprivate var passedBytes: Int {
    if case .insert(let media, _) = self { media.reduce(0) { $0 + $1.byteBound } } else { 0 }
  }
}

extension PlaybackCommand {
  fileprivate var passedBytes: Int? {
    switch self {
    case .transition(let item, _, _, let interstitials, _):
      (item?.byteBound ?? 0) + interstitials.byteBound
    case .play(let item, _, _), .pause(let item, _), .seek(let item, _, _),
      .setRate(let item, _):
      item.byteBound
    case .suspend(let reason): reason.text.byteBound
    case .endSuspension: 0
    case .ready, .reportEnd: nil
    }
  }
}
