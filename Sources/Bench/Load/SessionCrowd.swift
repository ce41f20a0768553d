import EventLoops
import GroupSessions
import Playback
import Vocabulary
import Wire

/// A crowd on a Matinee server whose peers take part in sessions of the same size.
///
/// Confined to its loop's thread.
final class SessionCrowd {
  let crowd: Crowd
  private let sessionSize: Int
  /// Added to the numbers in names, so that two crowds on one server have different names.
  private let firstNumber: Int
  /// Whether those who find no named place watch as spectators.
  private let hasAudience: Bool
  /// The crowd whose only session the peers join; `nil` if they have sessions of their own.
  private let hosts: SessionCrowd?
  private var sessions: [Int: SessionID] = [:]
  /// Request numbers are not reused, because a repeated number is answered without being carried
  /// out.
  var requests = Requests()
  private var answersMissing = 0
  private var snapshotsMissing = 0
  private var decoder = ServerLineDecoder(maximumBytes: 64 * 1024 * 1024)

  /// Peers that send requests at once; limited because each joiner of a session of thousands is
  /// sent the whole session.
  private static let askingMaximum = 100

  /// A crowd without peers, for sessions of this size; `.max` is one session for all.
  init(
    at server: RunningServer, on stage: Stage, sessionSize: Int, firstNumber: Int = 0,
    hasAudience: Bool = false
  ) {
    self.firstNumber = firstNumber
    self.hasAudience = hasAudience
    crowd = Crowd(at: server, on: stage)
    self.sessionSize = sessionSize
    hosts = nil
  }

  /// A crowd without peers, which joins the one session of another crowd.
  init(
    at server: RunningServer, on stage: Stage, inAudienceOf hosts: SessionCrowd, firstNumber: Int
  ) {
    self.firstNumber = firstNumber
    hasAudience = true
    crowd = Crowd(at: server, on: stage)
    sessionSize = .max
    self.hosts = hosts
  }

  /// Adds peers until there are this many, who all take part.
  ///
  /// The film is current for the first peer of each session, or for everyone.
  func grow(to count: Int, everyoneWatches: Bool = false) throws(BenchError) {
    let newcomers = crowd.peers.count..<count
    let hosts = self.hosts == nil ? newcomers.filter { $0 % sessionSize == 0 } : []
    try crowd.grow(to: count)
    try ask(newcomers) { [self] place in hello(place) }
    try ask(newcomers) { [self] place in joinGroup(place) }
    try ask(hosts) { [self] _ in
      requests.next(.activate(Activation(Requests.activity, hasAudience: hasAudience)))
    } hearing: { [self] place, line in
      noteSession(of: place, line)
    }
    try ask(newcomers) { [self] place in join(place) }
    try ask(everyoneWatches ? Array(newcomers) : hosts) { [self] _ in
      requests.next(.playback(nil, .transition(to: Requests.film)))
    }
    try crowd.waitForQuiet()
  }

  /// Makes all connected peers from this index on join the session at once.
  ///
  /// Each sends its Hello, joins the group and joins the session in one write.
  ///
  /// - Parameter done: called when the last one has its snapshot.
  func joinAtOnce(from first: Int, _ done: @escaping (HostTime) -> Void) {
    let joiners = first..<crowd.peers.count
    snapshotsMissing = joiners.count
    for place in joiners {
      let peer = crowd.peers[place]
      peer.listen { [unowned self] line in
        refuseErrors(line)
        guard line.begins(with: Self.snapshot) else { return }
        crowd.peers[place].ignore()
        snapshotsMissing -= 1
        if snapshotsMissing == 0 { done(crowd.stage.loop.now) }
      }
      let lines = encode(hello(place)) + encode(joinGroup(place)) + encode(join(place))
      peer.write(SharedBytes(lines))
    }
  }

  private func hello(_ place: Int) -> ClientMessage { Requests.hello(firstNumber + place) }

  private func joinGroup(_ place: Int) -> ClientMessage {
    let first = hosts?.firstNumber ?? firstNumber
    return requests.next(.joinGroup(GroupID("group-\(first + place / sessionSize)")))
  }

  private func join(_ place: Int) -> ClientMessage {
    let sessions = hosts?.sessions ?? sessions
    return requests.next(
      .join(sessions[place / sessionSize] ?? SessionID("none"), handoffFrom: nil))
  }

  /// Makes peers send a request, a limited number at once, and waits for their answers.
  private func ask(
    _ places: some Collection<Int>, _ message: (Int) -> ClientMessage,
    hearing answered: @escaping (Int, Span<UInt8>) -> Void = { _, _ in }
  ) throws(BenchError) {
    var rest = places[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.askingMaximum)
      rest = rest.dropFirst(batch.count)
      answersMissing = batch.count
      for place in batch {
        let peer = crowd.peers[place]
        peer.listen { [unowned self] line in
          guard isAnswer(line) else { return }
          crowd.peers[place].ignore()
          answered(place, line)
        }
        peer.write(SharedBytes(encode(message(place))))
      }
      try crowd.stage.wait(for: "the answers to \(batch.count) peers") { answersMissing == 0 }
    }
  }

  private func isAnswer(_ line: Span<UInt8>) -> Bool {
    if line.begins(with: Self.ok) || line.begins(with: Self.welcome) {
      answersMissing -= 1
      if answersMissing == 0 { crowd.stage.nudge() }
      return true
    }
    refuseErrors(line)
    return false
  }

  private func refuseErrors(_ line: Span<UInt8>) {
    guard line.begins(with: Self.error) || line.begins(with: Self.closing) else { return }
    crowd.stage.fail(.refused(String(decoding: line.indices.map { line[$0] }, as: UTF8.self)))
  }

  private func noteSession(of host: Int, _ line: Span<UInt8>) {
    do throws(MalformedLine) {
      if case .answer(_, .activated(let session, _, _)) = try decoder.decode(line) {
        sessions[host / sessionSize] = session
      }
    } catch {
      crowd.stage.fail(.refused("\(error)"))
    }
  }

  private static let ok = Array(#"{"type":"ok""#.utf8)
  private static let welcome = Array(#"{"type":"welcome""#.utf8)
  private static let snapshot = Array(#"{"type":"snapshot""#.utf8)
  private static let error = Array(#"{"type":"error""#.utf8)
  private static let closing = Array(#"{"type":"closing""#.utf8)
}

@available(*, unavailable)
extension SessionCrowd: Sendable {}

extension Span<UInt8> {
  fileprivate func begins(with prefix: [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    for index in prefix.indices where self[index] != prefix[index] { return false }
    return true
  }
}
