import GroupSessions
import Naming
import Signatures
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A server with access by keys, and what people do there.
struct KeyedDoor {
  static let keys: AccessKeys = {
    var numbers = SplitMix64(seed: 11)
    return AccessKeys(InvitationKey(using: &numbers))
  }()
  static let administratorKey = "0123456789abcdef"

  var stage: Stage
  /// The credential that each person's device made.
  private var credentials: [DeviceID: Secret] = [:]
  private var random = SplitMix64(seed: 12)

  init(
    limits: Limits = Limits(), mediaSigner: MediaSigner? = nil,
    journal: SharedJournal = SharedJournal()
  ) throws {
    var notifications = NotificationSettings()
    notifications.administratorKey = try AdministratorKey(Self.administratorKey)
    stage = Stage(
      limits: limits, access: .keys(Self.keys), notifications: notifications,
      mediaSigner: mediaSigner, journal: journal)
  }

  /// The key of the group `g`.
  static func key(_ generation: Int = 1) -> String {
    keys.key(of: "g", generation: generation).text
  }

  static func address(_ number: UInt64, isLoopback: Bool = false) -> PeerAddress {
    PeerAddress(bits: number, isIPv6: false, isLoopback: isLoopback)
  }

  // MARK: People

  /// A device that says hello under a person's name; it makes a credential the first time.
  @discardableResult
  mutating func greet(
    _ device: DeviceID, as user: UserID? = nil, with credential: String? = nil,
    code: String? = nil, resume: Resumption? = nil, isSecured: Bool = false,
    from address: PeerAddress? = nil
  ) -> PeerID {
    let peer = stage.connectSilently(from: address)
    if isSecured { stage.handle(.secured(peer)) }
    var hello = stage.hello(device, user: user ?? UserID(device.text), resume: resume)
    hello.credential = credential ?? self.credential(of: device)
    hello.code = code
    stage.say(.hello(hello), on: peer)
    stage.peers[device] = peer
    return peer
  }

  /// Says hello.
  ///
  /// - Returns: why the device was hung up on; `nil` if it is in as its person.
  mutating func refusal(
    _ device: DeviceID, as user: UserID? = nil, with credential: String? = nil,
    code: String? = nil, resume: Resumption? = nil, isSecured: Bool = false,
    from address: PeerAddress? = nil
  ) -> ErrorCode? {
    let peer = greet(
      device, as: user, with: credential, code: code, resume: resume, isSecured: isSecured,
      from: address)
    if let error = end(of: peer) { return error.code }
    return welcome(of: peer)?.isProved == true ? nil : .unproved
  }

  mutating func credential(of device: DeviceID) -> String {
    let secret = credentials[device] ?? Secret(using: &random)
    credentials[device] = secret
    return secret.text
  }

  mutating func wipe(_ device: DeviceID) { credentials[device] = nil }

  @discardableResult
  mutating func administer(as device: DeviceID = "admin") -> PeerID {
    let peer = stage.connectSilently(from: Self.address(0, isLoopback: true))
    var hello = stage.hello(device)
    hello.administratorKey = Self.administratorKey
    stage.say(.hello(hello), on: peer)
    stage.peers[device] = peer
    return peer
  }

  /// Ann founds the group `g`.
  mutating func found() throws {
    greet("ann")
    try stage.ask("ann", .joinGroup("g", key: Self.keys.founding.text))
  }

  /// People come in with the group's key.
  mutating func enter(_ users: UserID...) throws {
    for user in users {
      greet(DeviceID(user.text))
      try stage.ask(DeviceID(user.text), .joinGroup("g", key: Self.key()))
    }
  }

  /// The code that a device is told for a request.
  mutating func code(_ request: Request, from device: DeviceID) throws -> String {
    guard case .pairing(let code, let until) = try stage.ask(device, request) else {
      throw ProtocolError(.busy)
    }
    #expect(until == stage.now + Limits().pairingDeadline && code.utf8.count == 8)
    return code
  }

  // MARK: Looking

  func end(of peer: PeerID) -> ProtocolError? { stage.clients[peer]?.closedWith }

  func welcome(of peer: PeerID) -> Welcome? {
    stage.clients[peer]?.received.lazy.compactMap {
      if case .welcome(let welcome) = $0 { welcome } else { nil }
    }.last
  }

  /// The keys that a device was told, in order.
  func keys(_ device: DeviceID) -> [String] {
    stage[device].received.compactMap {
      if case .groupKey("g", let key) = $0 { key } else { nil }
    }
  }

  var group: Group? { stage.coordinator.groups.rooms.groups["g"]?.group }
  var members: [UserID] { (group?.members.values.map(\.user) ?? []).sorted() }

  /// The events that are kept of a name.
  func kept(_ user: UserID) -> [NameEvent] {
    (stage.journal.live[.name(user)] ?? []).compactMap {
      if case .name(let event) = $0.event { event } else { nil }
    }
  }
}
