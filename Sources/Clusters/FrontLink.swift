import Coordination
package import Vocabulary
import Wire

/// What a server in front does with its link and with the people behind it, as a value.
///
/// It knows its connections and nothing else: no group, no session, and of a message only whom it is
/// for. While there is no link, whoever connects waits for some seconds. When a link breaks, everybody
/// behind it is told to come back, and resumes as after a restart.
package struct FrontLink: Sendable {
  /// What its server has to do.
  package enum Output: Equatable, Sendable {
    /// Connect to the server that decides; ``didConnect()`` or ``didFail()`` follows.
    case connect
    /// Close the link, or stop connecting.
    case disconnect
    /// Send a line over the link.
    case send([UInt8])
    /// Send peers the line that was heard, from this place on.
    case tell(Peers, from: Int, isDroppable: Bool)
    /// Close a peer after the line that was heard, from this place on; `nil` sends nothing before.
    case close(PeerID, from: Int?)
    /// Close a peer without a word, as the server that decides wants it.
    case shut(PeerID)
    /// Close a peer without a word, because too many wait for a link.
    case turnAway(PeerID)
    /// Encrypt what a peer says and hears from here on.
    case encrypt(PeerID)
    /// Close a peer after telling it to come back.
    case sendBack(PeerID)
    /// Close a peer because a line of it is too long.
    case refuse(PeerID)
    case pauseReading(PeerID)
    case resumeReading(PeerID)
    /// A peer's address has to pay for so many µs as the line that was heard says from this place on.
    case charge(PeerID, from: Int)
    /// The file that an address is for stands in the line that was heard, from this place on.
    case answer(question: UInt32, from: Int)
    /// Nobody says which file an address is for.
    case giveUp(question: UInt32)
    /// Send everybody to the other servers.
    case drain
    /// The link works from here on.
    case linked
    /// The link does not work any more.
    case broken(String)
  }

  private enum Stage {
    case apart, connecting
    /// Connected, but the other end has not said yet that it takes this one.
    case greeting
    case linked
  }

  /// Which file an address of the media is for: it waits for a link, and is asked again over the
  /// next one if a link breaks.
  private struct Question {
    let address: String
    /// How long it waits for its answer, in beats.
    var beats = 0
  }

  private let id: ServerID
  private let version: String
  private let access: String?
  private var stage = Stage.apart
  private var hasDestination = false
  private var silence = LinkSilence()
  private var waiting: WaitingRoom
  /// The peers that the server that decides knows.
  private var behind: Set<PeerID> = []
  /// Which of them hear the same.
  private var followers = LinkFollowers()
  private var questions: [UInt32: Question] = [:]
  private var lastQuestion: UInt32 = 0
  /// Each connection of a browser asks one question at a time.
  private let mostQuestions: Int
  /// Whether this server sends everybody to the others.
  package private(set) var isDraining = false

  /// - Parameters:
  ///   - id: what the servers of the cluster call this one.
  ///   - version: which one runs.
  ///   - access: how people prove who they are once this one decides; `nil` says nothing of it.
  package init(of id: ServerID, version: String, access: String? = nil, _ limits: Limits) {
    (self.id, self.version, self.access) = (id, version, access)
    waiting = WaitingRoom(limits)
    mostQuestions = limits.webConnections
  }

  /// Whether what people say is passed on.
  package var isLinked: Bool { stage == .linked }

  /// How many wait for a link.
  package var waitingCount: Int { waiting.count }

  // MARK: The link

  /// Links itself to another server from here on, or to none.
  package mutating func follow(isThere: Bool) -> [Output] {
    hasDestination = isThere
    return part() + connect()
  }

  private mutating func connect() -> [Output] {
    guard stage == .apart, hasDestination else { return [] }
    silence.end()
    stage = .connecting
    return [.connect]
  }

  /// The connection is there.
  package mutating func didConnect() { stage = .greeting }

  /// The server that decides is not reached; the next beat tries again.
  package mutating func didFail() { stage = .apart }

  /// The link has broken.
  package mutating func didBreak(_ why: String) -> [Output] {
    guard stage == .greeting || stage == .linked else { return [] }
    return [.broken(why)] + part() + connect()
  }

  /// Gives the link up, and tells everybody behind it to come back.
  private mutating func part() -> [Output] {
    let outputs: [Output] = stage == .apart ? [] : [.disconnect]
    stage = .apart
    defer { (behind, followers) = ([], LinkFollowers()) }
    return outputs + behind.sorted { $0.slot < $1.slot }.map { .sendBack($0) }
  }

  private mutating func begin() -> [Output] {
    stage = .linked
    var outputs: [Output] = [.linked, state]
    for peer in waiting.peers {
      guard let visitor = waiting.leave(peer) else { continue }
      outputs.append(announce(peer, visitor.arrival))
      if visitor.isSecured { outputs.append(say(.secured, of: peer)) }
      outputs += visitor.lines.map { pass($0, from: peer) } + [.resumeReading(peer)]
    }
    for (number, question) in questions.sorted(by: { $0.key < $1.key }) {
      outputs.append(ask(number, aboutMediaAt: question.address))
    }
    return outputs
  }

  /// A beat of this server's loop, ``LinkSilence/pause`` after the one before.
  package mutating func beat() -> [Output] {
    let isTooLong = silence.isTooLong()
    var outputs: [Output] =
      switch stage {
      case .apart: connect()
      case .connecting where isTooLong: part() + connect()
      case .greeting where isTooLong, .linked where isTooLong:
        didBreak("nothing comes over it")
      case .connecting, .greeting: []
      case .linked: [state]
      }
    for peer in waiting.beat() {
      waiting.leave(peer)
      outputs.append(.sendBack(peer))
    }
    for number in questions.keys { questions[number]?.beats += 1 }
    return outputs + giveUpQuestions { $0.beats > WaitingRoom.longestWait }
  }

  /// Says that this server lives, and what it is.
  private var state: Output {
    let state = StatusReport.Server(
      id, version: version, peers: waiting.count + behind.count, isDraining: isDraining)
    let words = [state.text, access.map { LinkLine.accessWord + $0 }, "\(LinkLine.format)"]
    return .send(
      LinkLineWriter(.beat).ended(with: words.compactMap(\.self).joined(separator: " ")))
  }

  // MARK: From the server that decides

  /// A line without its ending came over the link.
  package mutating func hear(_ line: Span<UInt8>) -> [Output] {
    guard let read = LinkLine(line) else { return didBreak("it says what is not of a link") }
    silence.end()
    let isSilent = read.start == line.count
    guard stage == .greeting else { return carryOut(read, isSilent: isSilent) }
    return begin() + carryOut(read, isSilent: isSilent)
  }

  private mutating func carryOut(_ line: LinkLine, isSilent: Bool) -> [Output] {
    switch line.verb {
    case .tell, .news:
      let receivers = line.audience.map { followers.receivers(of: $0, except: line.legs) }
      return [.tell(receivers ?? line.legs, from: line.start, isDroppable: line.verb == .news)]
    case .follow:
      guard let audience = line.audience else { return [] }
      for peer in line.legs where behind.contains(peer) { followers.add(peer, to: audience) }
      return []
    case .unfollow:
      guard let audience = line.audience else { return [] }
      if line.legs.isEmpty { followers.end(audience) }
      for peer in line.legs { followers.remove(peer, from: audience) }
      return []
    case .charge: return line.legs.prefix(1).map { .charge($0, from: line.start) }
    case .close:
      forget(line.legs)
      return line.legs.map { .close($0, from: isSilent ? nil : line.start) }
    case .shut:
      forget(line.legs)
      return line.legs.map { .shut($0) }
    case .encrypt: return line.legs.map { .encrypt($0) }
    case .media:
      guard let question = line.legs.first?.slot, questions.removeValue(forKey: question) != nil
      else { return [] }
      return [.answer(question: question, from: line.start)]
    case .drain: return drain()
    case .connected, .secured, .line, .overlong, .gone, .beat: return []
    }
  }

  private mutating func forget(_ legs: Peers) {
    behind.subtract(legs)
    for peer in legs { followers.remove(peer) }
  }

  private mutating func drain() -> [Output] {
    guard !isDraining else { return [] }
    isDraining = true
    return [state, .drain]
  }

  // MARK: From people

  /// A peer of any dialect connected.
  package mutating func connect(
    _ peer: PeerID, _ arrival: LegArrival, at now: Instant
  ) -> [Output] {
    if isLinked { return [announce(peer, arrival)] }
    return waiting.enter(peer, arrival, at: now) ? [] : [.turnAway(peer)]
  }

  /// A peer's connection is encrypted.
  package mutating func secure(_ peer: PeerID) -> [Output] {
    waiting.secure(peer)
    return behind.contains(peer) ? [say(.secured, of: peer)] : []
  }

  /// A peer said a line; one for which there is no room is told to come back.
  package mutating func receive(_ line: [UInt8], from peer: PeerID) -> [Output] {
    guard !behind.contains(peer) else { return [pass(line[...], from: peer)] }
    guard waiting.hasRoom(for: line) else {
      return waiting.leave(peer) == nil ? [] : [.sendBack(peer)]
    }
    return waiting.note(line, of: peer) ? [] : [.pauseReading(peer)]
  }

  /// A peer said more than a line may have.
  package mutating func receiveOverlongLine(from peer: PeerID) -> [Output] {
    guard waiting.leave(peer) == nil else { return [.refuse(peer)] }
    return behind.contains(peer) ? [say(.overlong, of: peer)] : []
  }

  /// A peer is gone.
  package mutating func lose(_ peer: PeerID) -> [Output] {
    waiting.leave(peer)
    followers.remove(peer)
    return behind.remove(peer) == nil ? [] : [say(.gone, of: peer)]
  }

  /// Sends a peer to another server, as this one drains.
  package mutating func dismiss(_ peer: PeerID) -> [Output] { lose(peer) + [.sendBack(peer)] }

  /// Sends those who wait away, and gives the link and all questions up.
  package mutating func stop() -> [Output] {
    let visitors = waiting.peers
    for peer in visitors { waiting.leave(peer) }
    return visitors.map { .sendBack($0) } + giveUpQuestions { _ in true } + follow(isThere: false)
  }

  // MARK: Media

  /// Asks which file an address is for, now or once there is a link.
  ///
  /// - Returns: the question's number, and what asks it; `nil` if too many questions wait.
  package mutating func ask(aboutMediaAt address: String) -> (question: UInt32, [Output])? {
    guard questions.count < mostQuestions else { return nil }
    lastQuestion &+= 1
    questions[lastQuestion] = Question(address: address)
    return (lastQuestion, isLinked ? [ask(lastQuestion, aboutMediaAt: address)] : [])
  }

  private func ask(_ question: UInt32, aboutMediaAt address: String) -> Output {
    let leg = PeerID(slot: question, generation: 0)
    return .send(LinkLineWriter(.media, leg).ended(with: address))
  }

  private mutating func giveUpQuestions(where isOver: (Question) -> Bool) -> [Output] {
    let over = questions.filter { isOver($0.value) }.keys.sorted()
    for number in over { questions[number] = nil }
    return over.map { .giveUp(question: $0) }
  }

  // MARK: To the server that decides

  private mutating func announce(_ peer: PeerID, _ arrival: LegArrival) -> Output {
    behind.insert(peer)
    return .send(LinkLineWriter(.connected, peer).ended(with: arrival.text))
  }

  private func pass(_ line: ArraySlice<UInt8>, from peer: PeerID) -> Output {
    .send(LinkLineWriter(.line, peer).ended(with: line))
  }

  private func say(_ verb: LinkLine.Verb, of peer: PeerID) -> Output {
    .send(LinkLineWriter(verb, peer).ended)
  }
}

/// The audiences behind a link: which of the peers of a server in front hear what is told an audience.
struct LinkFollowers: Sendable {
  private var audiences: [AudienceNumber: [PeerID]] = [:]
  /// The audiences of each peer: mostly a group's and a session's.
  private var followed: [PeerID: [AudienceNumber]] = [:]

  /// Those of an audience that are to be told something.
  func receivers(of audience: AudienceNumber, except others: Peers) -> Peers {
    let all = audiences[audience] ?? []
    return .many(others.isEmpty ? all : all.filter { !others.contains($0) })
  }

  mutating func add(_ peer: PeerID, to audience: AudienceNumber) {
    guard followed[peer]?.contains(audience) != true else { return }
    followed[peer, default: []].append(audience)
    audiences[audience, default: []].append(peer)
  }

  /// Removes a peer from an audience.
  mutating func remove(_ peer: PeerID, from audience: AudienceNumber) {
    followed[peer]?.removeAll { $0 == audience }
    if followed[peer]?.isEmpty == true { followed[peer] = nil }
    leave(audience, peer)
  }

  /// Removes a peer that is gone.
  mutating func remove(_ peer: PeerID) {
    for audience in followed.removeValue(forKey: peer) ?? [] { leave(audience, peer) }
  }

  mutating func end(_ audience: AudienceNumber) {
    for peer in audiences.removeValue(forKey: audience) ?? [] { remove(peer, from: audience) }
  }

  private mutating func leave(_ audience: AudienceNumber, _ peer: PeerID) {
    audiences[audience]?.removeAll { $0 == peer }
    if audiences[audience]?.isEmpty == true { audiences[audience] = nil }
  }
}
