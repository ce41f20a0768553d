import GroupSessions
import Naming
import Signatures
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A server that takes tokens, and what people do there.
struct Door {
  static let secret = "0123456789abcdef0123456789abcdef"
  static let other = "fedcba9876543210fedcba9876543210"
  static let wall = WallTime(seconds: 1_800_000_000)

  var stage: Stage

  init(secret: String = Door.secret) throws {
    stage = Stage(access: try Self.access(secret))
    stage.handle(.wallTime(Self.wall))
  }

  static func access(_ secret: String) throws -> Access {
    .tokens(try TokenVerifier(keys: TokenKeys(contents: Array(secret.utf8))))
  }

  static func token(
    _ user: UserID, groups: [String] = ["g"], for seconds: Int64 = 3_600, admin: Bool = false,
    name: String? = nil, secret: String = Door.secret
  ) throws -> String {
    var contents = TokenContents(
      user: user, issued: Self.wall, expires: Self.wall + seconds)
    contents.groups = GroupGrants(groups)
    contents.isAdministrator = admin
    contents.name = name
    return try TokenSigner(contents: Array(secret.utf8)).token(for: contents)
  }

  /// Says hello; the device is known by its own name here, and by another to the server.
  @discardableResult
  mutating func greet(
    _ device: DeviceID, as user: UserID, _ token: String?, resume: Resumption? = nil
  ) -> PeerID {
    let peer = stage.connectSilently()
    var hello = stage.hello(device, user: user, name: "somebody", resume: resume)
    hello.credential = token
    stage.say(.hello(hello), on: peer)
    stage.peers[device] = peer
    return peer
  }

  /// A person with a token for the group `g` who is in it.
  mutating func enter(_ user: UserID, for seconds: Int64 = 3_600) throws {
    greet(DeviceID(user.text), as: user, try Self.token(user, for: seconds))
    try stage.ask(DeviceID(user.text), .joinGroup("g"))
  }

  func isTold(_ device: DeviceID) -> Bool {
    stage[device].received.contains {
      if case .credentialExpires = $0 { true } else { false }
    }
  }

  func end(of peer: PeerID) -> ProtocolError? { stage.clients[peer]?.closedWith }
  func welcome(of peer: PeerID) -> Welcome? {
    stage.clients[peer]?.received.lazy.compactMap {
      if case .welcome(let welcome) = $0 { welcome } else { nil }
    }.first
  }
}
