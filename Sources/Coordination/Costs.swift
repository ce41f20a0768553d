import GroupSessions
import Playback
import UserNotifications
import Vocabulary
import Wire

/// What people make the server do with their requests, in bytes: those that it stores and sends, from
/// second to second, and those that its journal keeps, from day to day.
///
/// A command's cost is taken before it is decided, from the allowances of the person, of the address
/// that it comes from and of the group; a command that changes nothing costs nothing. An address has
/// an allowance because anybody may go by any number of names. ``Groups`` and ``People`` have
/// allowances of their own.
struct Costs: Sendable {
  private var work: Allowances
  private var journal: Allowances

  init(_ limits: Limits) {
    work = Allowances(
      people: RateLimit(
        burst: limits.userCostBurst, perSecond: limits.userCostPerSecond, sources: limits.peers),
      addresses: RateLimit(
        burst: limits.addressCostBurst, perSecond: limits.addressCostPerSecond,
        sources: limits.peers),
      groups: RateLimit(
        burst: limits.groupCostBurst, perSecond: limits.groupCostPerSecond, sources: limits.groups))
    let day = Duration.seconds(86_400)
    journal = Allowances(
      people: RateLimit(burst: limits.userJournalBytes, refilledIn: day, sources: limits.peers),
      groups: RateLimit(burst: limits.groupJournalBytes, refilledIn: day, sources: limits.groups))
  }

  /// Takes a cost, or says which allowance is used up.
  mutating func take(_ cost: Cost, at now: Instant) throws(ProtocolError) {
    try work.check(cost.bytes, of: cost, in: cost.payingGroup, at: now)
    try journal.check(cost.stored, of: cost, in: cost.group, at: now)
    work.note(cost.bytes, of: cost, in: cost.payingGroup, at: now)
    journal.note(cost.stored, of: cost, in: cost.group, at: now)
  }

  /// Gives back the cost of a command that was refused, or changed nothing.
  mutating func giveBack(_ cost: Cost, at now: Instant) {
    work.giveBack(cost.bytes, of: cost, in: cost.payingGroup, at: now)
    journal.giveBack(cost.stored, of: cost, in: cost.group, at: now)
  }
}

/// How many bytes people, addresses and groups may use.
private struct Allowances: Sendable {
  var people: RateLimit<UserID>
  /// `nil` if addresses have no allowance.
  var addresses: RateLimit<PeerAddress>?
  var groups: RateLimit<GroupID>

  /// Refuses what is more than the rest of an allowance.
  func check(_ bytes: Int, of cost: Cost, in group: GroupID?, at now: Instant)
    throws(ProtocolError)
  {
    guard bytes > 0 else { return }
    if let wait = cost.user.flatMap({ people.wait(for: $0, cost: bytes, at: now) }) {
      throw ProtocolError(.rateLimited, reason: "user", retryAfter: wait)
    }
    if let wait = cost.address.flatMap({ addresses?.wait(for: $0, cost: bytes, at: now) }) {
      throw ProtocolError(.rateLimited, reason: "address", retryAfter: wait)
    }
    if let wait = group.flatMap({ groups.wait(for: $0, cost: bytes, at: now) }) {
      throw ProtocolError(.rateLimited, reason: "group", retryAfter: wait)
    }
  }

  mutating func note(_ bytes: Int, of cost: Cost, in group: GroupID?, at now: Instant) {
    guard bytes > 0 else { return }
    if let user = cost.user { people.note(user, cost: bytes, at: now) }
    if let address = cost.address { addresses?.note(address, cost: bytes, at: now) }
    if let group { groups.note(group, cost: bytes, at: now) }
  }

  mutating func giveBack(_ bytes: Int, of cost: Cost, in group: GroupID?, at now: Instant) {
    guard bytes > 0 else { return }
    if let user = cost.user { people.giveBack(bytes, to: user, at: now) }
    if let address = cost.address { addresses?.giveBack(bytes, to: address, at: now) }
    if let group { groups.giveBack(bytes, to: group, at: now) }
  }
}

/// What a command costs, and whom.
struct Cost: Equatable, Sendable {
  /// The bytes that the server stores and sends; 0 if they are negligible.
  var bytes = 0
  /// The bytes that stay in the journal.
  var stored = 0
  /// `nil` for the server's own keepers: all go by one name, and act for whole rooms.
  let user: UserID?
  /// Where the person's request comes from; `nil` for this machine, which may be a proxy.
  var address: PeerAddress?
  /// Whose journal it grows; `nil` if no group pays.
  var group: GroupID?
  /// Whether it is one person's act on everybody, so that the group pays for the work, too.
  var isForAll = false

  fileprivate var payingGroup: GroupID? { isForAll ? group : nil }

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

  /// The work, unless it is not worth counting.
  static func counted(_ bytes: Int) -> Int { bytes > negligible ? bytes : 0 }

  /// The fields that every event has.
  static let envelope = 256

  /// What is not worth counting: a person with twenty devices that send as many messages as they
  /// may stays within the allowance.
  static let negligible = 64 * 1024

  /// A delivery costs 8.7 µs, in which 4 KiB are written.
  private static let delivery = 4_096
}

extension Groups {
  /// Takes what it costs to pass bytes on to a session, and to keep some of them, from the allowances
  /// of the person, of the address and, if it is for all, of the group.
  ///
  /// - Returns: the cost, to be given back if nothing comes of the command; `nil` if it is
  ///   negligible.
  mutating func takeCost(
    ofPassing bytes: Int?, storing stored: Int = 0, isForAll: Bool, by device: DeviceID,
    in id: SessionID
  ) throws(ProtocolError) -> Cost? {
    guard let bytes, let seat = seats[device],
      let session = rooms.sessions[id]?.lane.state.session
    else { return nil }
    let receivers = session.participants.count + (onlookers.size(of: id)?.count ?? 0)
    let work = Cost.counted(Cost.passing(bytes, to: receivers))
    guard work > 0 || stored > 0 else { return nil }
    let cost = Cost(
      bytes: work, stored: stored, user: seat.payer, address: seat.address, group: session.group,
      isForAll: isForAll)
    try costs.take(cost, at: turn.now)
    return cost
  }

  /// Takes what it costs to tell a group what a device has changed, as when it joins, and to keep it:
  /// who joins and leaves again and again would make the server send to all members each time.
  ///
  /// The group pays only for its objects, so that nobody can lock others out of it.
  mutating func takeCost(
    of command: GroupCommand, in id: GroupID, by seat: Seat
  ) throws(ProtocolError) -> Cost? {
    guard let bytes = command.toldBytes(of: seat.member) else { return nil }
    let members = (rooms.groups[id]?.group?.members.count ?? 0) + onlookers.visitorCount(of: id)
    let object = command.updatedObject
    // Each subscriber's tray keeps the change, too.
    let subscribers = object.map { told.subscribers(of: .own($0, of: id)).count } ?? 0
    let cost = Cost(
      bytes: Cost.counted(Cost.passing(bytes, to: members + subscribers)),
      stored: (Cost.envelope + bytes) * (1 + subscribers), user: seat.payer, address: seat.address,
      group: object == nil ? nil : id, isForAll: object != nil)
    try costs.take(cost, at: turn.now)
    return cost
  }

  /// Takes what it costs to keep an activity with which a group begins a session.
  mutating func takeCost(
    ofStarting activity: GroupActivity, by seat: Seat, in group: GroupID
  ) throws(ProtocolError) -> Cost {
    let cost = Cost(
      stored: Cost.envelope + activity.byteBound, user: seat.payer, address: seat.address,
      group: group)
    try costs.take(cost, at: turn.now)
    return cost
  }

  /// Takes what it costs to answer one device.
  mutating func take(_ bytes: Int, from seat: Seat) throws(ProtocolError) {
    try costs.take(Cost(bytes: bytes, user: seat.payer, address: seat.address), at: turn.now)
  }

  /// Takes what it costs to keep data that nobody is sent yet.
  mutating func takeCost(
    ofKeeping bytes: Int, by device: DeviceID, in id: SessionID
  ) throws(ProtocolError) -> Cost? {
    guard let seat = seats[device], let group = rooms.sessions[id]?.session?.group else {
      return nil
    }
    let cost = Cost(
      bytes: bytes, stored: bytes, user: seat.payer, address: seat.address, group: group)
    try costs.take(cost, at: turn.now)
    return cost
  }

  /// A command that was refused, or changed nothing, costs nothing.
  mutating func giveBackCost<Command>(of work: Work<Command>) {
    if let cost = work.cost { costs.giveBack(cost, at: turn.now) }
  }
}

extension GroupCommand {
  /// How many bytes the members are told at most; `nil` for what ends something, which is free,
  /// because it must always be possible.
  fileprivate func toldBytes(of member: Member) -> Int? {
    switch self {
    case .join, .setSharing, .setPreferredDevice, .changeKey: member.byteBound
    case .updateObject(let id, let changes, _):
      Cost.envelope + id.byteBound + PayloadValue.dictionary(changes).jsonByteCount
    case .leave, .lose, .resume, .interrupt, .startSession, .endSession, .close, .removeUser,
      .removeObject, .clockAdvanced:
      nil
    }
  }

  /// The object that it changes: one person's act on everybody, for which the group pays, too.
  fileprivate var updatedObject: ObjectID? {
    if case .updateObject(let id, _, _) = self { id } else { nil }
  }
}

extension SessionCommand {
  /// How many bytes its events have at most; `nil` if the command is free.
  ///
  /// Free is what everybody does who takes part, going and reports of players, and what is not a
  /// person's act; a joining costs its own.
  var passedBytes: Int? {
    switch self {
    case .send(let message, _, _): Cost.envelope + message.byteBound
    case .setActivity(let activity, _, _): Cost.envelope + activity.byteBound
    case .queue(let command, _): Cost.envelope + command.passedBytes
    case .playback(let command, _): command.passedBytes.map { Cost.envelope + $0 }
    case .invite(let users, _, let id):
      id == nil ? nil : users.reduce(Cost.envelope) { $0 + $1.byteBound }
    case .revokeInvitations(let users, _): users.reduce(Cost.envelope) { $0 + $1.byteBound }
    case .setRole, .setReadyToStart, .setControl, .setWaitingPolicy, .setDismissalPolicy,
      .removeAttachment:
      Cost.envelope
    case .addAttachment: nil  // Its beginning has paid.
    case .activate, .withdraw, .join, .leave, .dismiss, .decline, .answerInvitation, .uninvite,
      .end, .remove, .lose, .resume, .interrupt, .initiatorGone, .terminate, .clockAdvanced:
      nil
    }
  }

  /// How many bytes of its events stay in the journal; 0 for what an evening goes on and ends by,
  /// which is never refused for its bytes, like ``JournalUse/continues``.
  var storedBytes: Int {
    switch self {
    case .send, .setActivity, .invite, .queue(.insert, _): passedBytes ?? 0
    case .addAttachment, .removeAttachment, .queue, .playback, .revokeInvitations, .setRole,
      .setReadyToStart, .setControl,
      .setWaitingPolicy, .setDismissalPolicy, .activate, .withdraw, .join, .leave, .dismiss,
      .decline, .answerInvitation, .uninvite, .end, .remove, .lose, .resume, .interrupt,
      .initiatorGone, .terminate, .clockAdvanced:
      0
    }
  }

  /// Whether the command affects the whole group and is rare.
  ///
  /// What each of thousands sends once when something begins is not.
  var isForAll: Bool {
    switch self {
    case .send, .removeAttachment, .setActivity, .queue, .setRole, .setControl,
      .setWaitingPolicy, .setDismissalPolicy, .invite, .revokeInvitations:
      true
    case .playback(.play, _), .playback(.pause, _), .playback(.seek, _), .playback(.setRate, _):
      true
    case .activate, .withdraw, .join, .leave, .dismiss, .decline, .answerInvitation, .uninvite,
      .end, .remove, .setReadyToStart, .addAttachment, .playback, .lose, .resume, .interrupt,
      .initiatorGone,
      .terminate, .clockAdvanced:
      false
    }
  }
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
