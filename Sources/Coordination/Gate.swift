import GroupSessions
import Signatures
import Vocabulary
import Wire

/// Who comes in, and what their credentials entitle them to.
///
/// Tokens live by the wall clock, which the shell reads before each message with a credential; the
/// rest of the server knows only the group's time.
struct Gate: Sendable {
  /// What a connection has shown.
  enum Grant: Sendable {
    case token(TokenGrant)
    case credential(CredentialGrant)
    case administrator
  }

  /// What the token of a connection entitles it to.
  struct TokenGrant: Sendable {
    let claims: TokenClaims
    /// When the client is told that the token expires.
    let notice: Instant
    /// When the connection ends unless the token is renewed.
    let end: Instant
  }

  /// A credential, and whether the name is known to be its person's.
  struct CredentialGrant: Sendable {
    let hash: CredentialHash
    var isProved: Bool
    /// The joining that is to claim the name.
    var claim: (request: Request, reply: Reply)?
  }

  private var access: Access
  private let administratorKey: AdministratorKey?
  private var grants: [PeerID: Grant] = [:]
  /// The hellos whose credentials are being looked up.
  private var hellos: [PeerID: (hello: Hello, hash: CredentialHash)] = [:]
  /// The wrong keys, credentials and codes of each address.
  ///
  /// Guesses are counted by address and never by name, else anybody could lock a person out. A right
  /// key or credential comes in all the same, because many people may share one address.
  private var guesses: RateLimit<PeerAddress>
  /// When a connection is told that its token expires, or is closed.
  private var deadlines = Deadlines<PeerID>()
  /// The time of day when it was last read.
  private var wall: WallTime?

  init(_ access: Access, administratorKey: AdministratorKey?, _ limits: Limits) {
    self.access = access
    guesses = RateLimit(
      burst: limits.guesses, refilledIn: .seconds(60), sources: limits.guessers)
    self.administratorKey = administratorKey
  }

  var mode: AccessMode { access.mode }

  mutating func set(_ wall: WallTime) { self.wall = wall }

  /// Replaces the keys of tokens.
  ///
  /// - Returns: the connections whose tokens are void now.
  mutating func set(_ access: Access) -> [PeerID] {
    self.access = access
    guard case .tokens(let verifier) = access else { return [] }
    let void = grants.filter {
      if case .token(let grant) = $0.value {
        !verifier.keys.contain(grant.claims.key)
      } else {
        false
      }
    }
    return void.keys.sorted { $0.slot < $1.slot }
  }

  mutating func forget(_ peer: PeerID) {
    hellos[peer] = nil
    guard grants.removeValue(forKey: peer) != nil else { return }
    deadlines.forget(peer)
  }

  // MARK: Hellos

  /// Who a hello comes from, as far as the hello itself proves it.
  enum Introduction {
    case known(Identity)
    /// What the credential proves has to be looked up.
    case credential(CredentialHash)
  }

  /// Judges a hello.
  ///
  /// Devices of different people are different devices, whatever name they give; so nobody takes
  /// another person's place.
  mutating func meet(
    _ hello: Hello, on peer: PeerID, at now: Instant, _ limits: Limits
  ) throws(ProtocolError) -> Introduction {
    // Drops the grant of an earlier hello, which was refused for another reason.
    forget(peer)
    if let key = hello.administratorKey {
      return .known(try administrator(with: key, on: peer))
    }
    guard ownsDevice(hello) else {
      return .known(
        Identity(
          user: hello.user, device: hello.device, name: hello.name, isKeeper: hello.isKeeper))
    }
    guard let credential = hello.credential else { throw ProtocolError(.credentialRequired) }
    guard case .tokens(let verifier) = access else {
      guard let secret = Secret(credential) else {
        throw ProtocolError(.credentialRefused, reason: "malformed")
      }
      hellos[peer] = (hello, CredentialHash(of: secret))
      return .credential(CredentialHash(of: secret))
    }
    let grant = try grant(for: credential, of: hello.user, verifier, at: now, limits)
    admit(grant, on: peer)
    return .known(
      Identity(
        user: hello.user, device: grant.claims.device(named: hello.device),
        name: grant.claims.name ?? hello.user.text))
  }

  /// Lets an administrator in.
  private mutating func administrator(with key: String, on peer: PeerID) throws(ProtocolError)
    -> Identity
  {
    guard let administratorKey else { throw ProtocolError(.noAdministrator) }
    guard administratorKey.matches(key) else { throw ProtocolError(.wrongKey) }
    grants[peer] = .administrator
    return Identity(
      user: Hello.administrator, device: DeviceID("\(Hello.administrator)-\(peer)"),
      name: "administrator")
  }

  /// Whether nobody else can name the device of a hello, because it is made from the credential.
  ///
  /// The peers that the server makes itself, whose names no client may use, show none.
  func ownsDevice(_ hello: Hello) -> Bool {
    mode != .open && !Hello.isReserved(hello.user.text)
  }

  /// Removes and returns the hello whose credential was looked up.
  mutating func takeHello(of peer: PeerID) -> (hello: Hello, hash: CredentialHash)? {
    hellos.removeValue(forKey: peer)
  }
}

// MARK: Credentials

extension Gate {
  mutating func admit(_ hash: CredentialHash, isProved: Bool, on peer: PeerID) {
    grants[peer] = .credential(CredentialGrant(hash: hash, isProved: isProved))
  }

  /// Whether the person of a connection is known to be who they say.
  func isProved(_ peer: PeerID) -> Bool {
    if case .credential(let grant)? = grants[peer] { grant.isProved } else { true }
  }

  /// Keeps the joining that is to claim a connection's name.
  ///
  /// - Returns: whether no other one is under way.
  mutating func beginClaim(of peer: PeerID, by request: Request, _ reply: Reply) -> Bool {
    guard case .credential(var grant)? = grants[peer], grant.claim == nil else { return false }
    grant.claim = (request, reply)
    grants[peer] = .credential(grant)
    return true
  }

  /// The credential that claims the name of a connection.
  func claimant(of peer: PeerID) -> CredentialHash? {
    if case .credential(let grant)? = grants[peer] { grant.hash } else { nil }
  }

  /// Ends the joining that was to claim a connection's name.
  ///
  /// - Parameters:
  ///   - reply: the joining's; the outcome of another request ends nothing.
  ///   - isProved: whether the name is the person's now.
  /// - Returns: the joining.
  @discardableResult
  mutating func endClaim(of peer: PeerID, by reply: Reply, isProved: Bool) -> Request? {
    guard case .credential(var grant)? = grants[peer], let claim = grant.claim,
      claim.reply == reply
    else { return nil }
    grant.claim = nil
    grant.isProved = isProved
    grants[peer] = .credential(grant)
    return claim.request
  }

  /// Moves the joining that is to claim a name to the connection on which its device goes on.
  mutating func moveClaim(from old: PeerID, to new: PeerID) {
    guard case .credential(let earlier)? = grants[old], let claim = earlier.claim,
      case .credential(var grant)? = grants[new]
    else { return }
    grant.claim = claim
    grants[new] = .credential(grant)
  }

  // MARK: Guesses

  /// Counts a refusal that may be a guess.
  ///
  /// - Returns: what the sender is told: the refusal itself, until there were too many.
  mutating func judged(
    _ error: ProtocolError, from address: PeerAddress?, at now: Instant
  ) -> ProtocolError {
    switch error.code {
    case .keyRefused, .pairingRefused, .wrongKey: break
    // A token is signed: nobody guesses one, and an app's clients may share an address.
    case .credentialRefused where mode == .keys: break
    default: return error
    }
    guard let address else { return error }
    if let wait = guesses.wait(for: address, at: now) {
      return ProtocolError(.tooManyGuesses, retryAfter: wait)
    }
    guesses.note(address, at: now)
    return error
  }

  /// Checks that devices have credentials of their own, which a code lets in.
  func checkPairing() throws(ProtocolError) {
    guard mode == .keys else {
      throw ProtocolError(
        .pairingRefused, "codes let devices in only where access is by keys",
        reason: ProtocolError.noCodes)
    }
  }

  /// Checks that an address may try a code or an administrator's key.
  ///
  /// These may be short enough to be guessed, so a right one waits, too.
  func checkTrying(from address: PeerAddress?, at now: Instant) throws(ProtocolError) {
    guard let address, let wait = guesses.wait(for: address, at: now) else { return }
    throw ProtocolError(.tooManyGuesses, retryAfter: wait)
  }
}

// MARK: Tokens

extension Gate {
  /// Replaces a connection's token by another one of the same person.
  ///
  /// - Returns: the name to show; `nil` where access is not by tokens, so that nothing changes.
  mutating func renew(
    _ credential: String, of user: UserID, on peer: PeerID, at now: Instant, _ limits: Limits
  ) throws(ProtocolError) -> String? {
    guard case .tokens(let verifier) = access else { return nil }
    let grant = try grant(for: credential, of: user, verifier, at: now, limits)
    admit(grant, on: peer)
    return grant.claims.name ?? user.text
  }

  private mutating func admit(_ grant: TokenGrant, on peer: PeerID) {
    grants[peer] = .token(grant)
    deadlines.arm(peer, at: grant.notice)
  }

  private func grant(
    for credential: String, of user: UserID, _ verifier: TokenVerifier, at now: Instant,
    _ limits: Limits
  ) throws(ProtocolError) -> TokenGrant {
    guard let wall else { throw ProtocolError(.credentialRequired) }
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
    return TokenGrant(claims: claims, notice: now + rest - limits.credentialNotice, end: now + rest)
  }

  /// No instant is further away, whatever a token says.
  private static let longest = Duration.seconds(100 * 365 * 86_400)

  /// The groups that a connection's token names; `nil` for an administrator, and without tokens,
  /// where the group itself decides.
  func groups(of peer: PeerID) -> GroupGrants? {
    guard case .token(let grant)? = grants[peer], !grant.claims.isAdministrator else { return nil }
    return grant.claims.groups
  }

  /// Whether a connection's token names a group, if it has to.
  func mayEnter(_ group: GroupID, from peer: PeerID) -> Bool {
    groups(of: peer)?.matches(group) ?? true
  }

  func checkEntry(of peer: PeerID, to group: GroupID) throws(ProtocolError) {
    guard mayEnter(group, from: peer) else { throw ProtocolError(.forbidden, reason: "group") }
  }

  /// Checks that a connection's person may see groups that they are not in.
  func checkListing(by peer: PeerID) throws(ProtocolError) {
    if mode != .open { try checkAdministrator(on: peer) }
  }

  /// Whether a connection stands for the administrator, and so for no person.
  func isNobody(_ peer: PeerID) -> Bool {
    if case .administrator? = grants[peer] { true } else { false }
  }

  func checkAdministrator(on peer: PeerID) throws(ProtocolError) {
    guard administers(peer) else { throw ProtocolError(.forbidden, reason: "administrator") }
  }

  func administers(_ peer: PeerID) -> Bool { may(.administer, asker(on: peer)) }

  private func asker(on peer: PeerID) -> Asker {
    switch grants[peer] {
    case .administrator: Asker(isAdministrator: true)
    case .token(let grant): Asker(isAdministrator: grant.claims.isAdministrator)
    case .credential, nil: Asker()
    }
  }

  /// What a connection is due for.
  enum Due: Equatable {
    case expires(PeerID, at: Instant)
    case expired(PeerID)
  }

  var nextDeadline: Instant? { deadlines.earliest }

  /// Removes and returns the next connection whose token expires soon, or has expired.
  mutating func popDue(at now: Instant) -> Due? {
    while let peer = deadlines.popDue(at: now) {
      guard case .token(let grant)? = grants[peer] else { continue }
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
