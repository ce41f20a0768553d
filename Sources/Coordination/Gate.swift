import GroupSessions
package import Signatures
import Vocabulary
import Wire

/// How people prove who they are.
package enum Access: Sendable {
  /// Not at all.
  case open
  /// By tokens of an app's backend.
  case tokens(TokenVerifier)

  var mode: AccessMode {
    switch self {
    case .open: .open
    case .tokens: .tokens
    }
  }
}

/// Who comes in, and what their credentials entitle them to.
///
/// Tokens live by the wall clock, which the shell reads before each message with a credential; the
/// rest of the server knows only the group's time.
struct Gate: Sendable {
  /// What the credential of a connection entitles it to.
  struct Grant: Sendable {
    let claims: TokenClaims
    /// When the connection ends unless the credential is renewed.
    let end: Instant
  }

  private var access: Access
  /// The connections with a credential.
  private var grants: [PeerID: Grant] = [:]
  /// The time of day when it was last read.
  private var wall: WallTime?

  init(_ access: Access) { self.access = access }

  var mode: AccessMode { access.mode }

  mutating func set(_ wall: WallTime) { self.wall = wall }

  /// Replaces the keys.
  ///
  /// - Returns: the connections whose credentials are void now.
  mutating func set(_ access: Access) -> [PeerID] {
    self.access = access
    guard case .tokens(let verifier) = access else { return [] }
    return grants.filter { !verifier.keys.contain($0.value.claims.key) }.keys.sorted {
      $0.slot < $1.slot
    }
  }

  /// The identity that a hello proves.
  ///
  /// Devices of different people are different devices, whatever name they give; so nobody takes
  /// another person's place.
  mutating func identify(_ hello: Hello, on peer: PeerID, at now: Instant) throws(ProtocolError)
    -> Identity
  {
    guard let grant = try grant(for: hello.credential, of: hello.user, at: now) else {
      return Identity(
        user: hello.user, device: hello.device, name: hello.name, isKeeper: hello.isKeeper)
    }
    grants[peer] = grant
    return Identity(
      user: hello.user, device: grant.claims.device(named: hello.device),
      name: grant.claims.name ?? hello.user.text, isKeeper: false)
  }

  /// Replaces a connection's credential by another one of the same person.
  mutating func renew(_ credential: String, of user: UserID, on peer: PeerID, at now: Instant)
    throws(ProtocolError)
  {
    guard let grant = try grant(for: credential, of: user, at: now) else { return }
    grants[peer] = grant
  }

  /// - Returns: `nil` if the person need not prove anything: where access is open, and for the peers
  ///   that the server makes itself, whose names no client may use.
  private func grant(for credential: String?, of user: UserID, at now: Instant)
    throws(ProtocolError) -> Grant?
  {
    guard case .tokens(let verifier) = access, !Hello.isReserved(user.text) else { return nil }
    guard let credential, let wall else { throw ProtocolError(.credentialRequired) }
    let claims: TokenClaims
    do throws(TokenFault) {
      claims = try verifier.claims(in: credential, at: wall)
    } catch {
      throw ProtocolError(.credentialRefused, reason: error.reason)
    }
    guard claims.user == user else { throw ProtocolError(.credentialRefused, reason: "user") }
    let isInLeeway = claims.expires <= wall
    let end = isInLeeway ? claims.expires + TokenVerifier.leeway : claims.expires
    let rest = Duration.seconds(end.seconds.subtractingClamped(wall.seconds))
    return Grant(claims: claims, end: now + min(rest, Self.longest))
  }

  /// No instant is further away, whatever a token says.
  private static let longest = Duration.seconds(100 * 365 * 86_400)

  /// The end of a connection's credential; `nil` if it has none.
  func end(of peer: PeerID) -> Instant? { grants[peer]?.end }

  /// Whether a connection's person may enter a group.
  func mayEnter(_ group: GroupID, from peer: PeerID) -> Bool {
    grants[peer].map { $0.claims.isAdministrator || $0.claims.groups.matches(group) } ?? true
  }

  /// Whether a connection's person may see groups that they are not in.
  func mayListGroups(from peer: PeerID) -> Bool { grants[peer]?.claims.isAdministrator ?? true }

  mutating func forget(_ peer: PeerID) { grants[peer] = nil }
}
