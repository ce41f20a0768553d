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
    /// When the client is told that the credential expires.
    let notice: Instant
    /// When the connection ends unless the credential is renewed.
    let end: Instant
  }

  private var access: Access
  /// The connections with a credential.
  private var grants: [PeerID: Grant] = [:]
  /// When a connection is told that its credential expires, or is closed.
  private var deadlines = Deadlines<PeerID>()
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
  mutating func identify(_ hello: Hello, on peer: PeerID, at now: Instant, _ limits: Limits)
    throws(ProtocolError) -> Identity
  {
    guard let grant = try grant(for: hello.credential, of: hello.user, at: now, limits) else {
      return Identity(
        user: hello.user, device: hello.device, name: hello.name, isKeeper: hello.isKeeper)
    }
    admit(grant, on: peer)
    return Identity(
      user: hello.user, device: grant.claims.device(named: hello.device),
      name: grant.claims.name ?? hello.user.text, isKeeper: false)
  }

  /// Replaces a connection's credential by another one of the same person.
  mutating func renew(
    _ credential: String, of user: UserID, on peer: PeerID, at now: Instant, _ limits: Limits
  ) throws(ProtocolError) {
    guard let grant = try grant(for: credential, of: user, at: now, limits) else { return }
    admit(grant, on: peer)
  }

  private mutating func admit(_ grant: Grant, on peer: PeerID) {
    grants[peer] = grant
    deadlines.arm(peer, at: grant.notice)
  }

  /// - Returns: `nil` if the person need not prove anything: where access is open, and for the peers
  ///   that the server makes itself, whose names no client may use.
  private func grant(
    for credential: String?, of user: UserID, at now: Instant, _ limits: Limits
  ) throws(ProtocolError) -> Grant? {
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
    let rest = min(
      Duration.seconds(end.seconds.subtractingClamped(wall.seconds)), Self.longest)
    return Grant(claims: claims, notice: now + rest - limits.credentialNotice, end: now + rest)
  }

  /// No instant is further away, whatever a token says.
  private static let longest = Duration.seconds(100 * 365 * 86_400)

  /// Whether a connection's person may enter a group.
  func mayEnter(_ group: GroupID, from peer: PeerID) -> Bool {
    grants[peer].map { $0.claims.isAdministrator || $0.claims.groups.matches(group) } ?? true
  }

  func checkEntry(of peer: PeerID, to group: GroupID) throws(ProtocolError) {
    guard mayEnter(group, from: peer) else { throw ProtocolError(.forbidden, reason: "group") }
  }

  /// Checks that a connection's person may see groups that they are not in.
  func checkListing(by peer: PeerID) throws(ProtocolError) {
    guard grants[peer]?.claims.isAdministrator ?? true else {
      throw ProtocolError(.forbidden, reason: "administrator")
    }
  }

  mutating func forget(_ peer: PeerID) {
    guard grants.removeValue(forKey: peer) != nil else { return }
    deadlines.forget(peer)
  }

  // MARK: The ends of credentials

  /// What a connection is due for.
  enum Due: Equatable {
    case expires(PeerID, at: Instant)
    case expired(PeerID)
  }

  var nextDeadline: Instant? { deadlines.earliest }

  /// Removes and returns the next connection whose credential expires soon, or has expired.
  mutating func popDue(at now: Instant) -> Due? {
    while let peer = deadlines.popDue(at: now) {
      guard let grant = grants[peer] else { continue }
      guard now < grant.end else { return .expired(peer) }
      // It was renewed meanwhile.
      guard now >= grant.notice else {
        deadlines.arm(peer, at: grant.notice)
        continue
      }
      deadlines.arm(peer, at: grant.end)
      return .expires(peer, at: grant.end)
    }
    return nil
  }
}
