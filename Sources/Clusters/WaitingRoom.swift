import Coordination
import Vocabulary

/// Those who connected to a server in front while it has no link, and what they have said.
///
/// Their lines are read, so that who hangs up is known to be gone: their hello must not come behind the
/// one that they have said elsewhere since.
struct WaitingRoom: Sendable {
  /// Who is let out.
  struct Visitor {
    let arrival: LegArrival
    /// Whether its connection is encrypted.
    let isSecured: Bool
    /// What it said.
    let lines: [ArraySlice<UInt8>]
  }

  private struct Entry {
    let arrival: LegArrival
    /// Which one it was to come in.
    let number: Int
    var isSecured = false
    var text: [UInt8] = []
    /// How long it waits, in beats.
    var beats = 0
  }

  private var entries: [PeerID: Entry] = [:]
  /// The bytes that all have said.
  private var byteCount = 0
  /// How many wait of each address; who does not wait is counted by the server that decides.
  private var arrivals: Arrivals
  private let limits: Limits
  private var lastNumber = 0

  /// How many beats a peer, or a question of one, waits for a link: as long as a takeover may last.
  static let longestWait = 8

  init(_ limits: Limits) {
    self.limits = limits
    arrivals = Arrivals(limits)
  }

  var count: Int { entries.count }

  /// Those who wait, in the order in which they came.
  var peers: [PeerID] {
    entries.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  /// Lets a peer in.
  ///
  /// - Returns: false if too many wait, of all or of its address.
  mutating func enter(_ peer: PeerID, _ arrival: LegArrival, at now: Instant) -> Bool {
    // Nobody has said anything yet, so only their number counts.
    guard entries.count < limits.peers / 2,
      PeerAddress(host: arrival.host).map({ arrivals.enter($0, at: now) }) ?? true
    else { return false }
    lastNumber += 1
    entries[peer] = Entry(arrival: arrival, number: lastNumber)
    return true
  }

  /// Notes that a peer's connection is encrypted.
  mutating func secure(_ peer: PeerID) { entries[peer]?.isSecured = true }

  /// Whether a line has room beside what all have said.
  ///
  /// They have a quarter of what may wait for all peers: forty times what so many say first.
  func hasRoom(for line: [UInt8]) -> Bool { byteCount + line.count < limits.backlogBytes / 4 }

  /// Notes a line of a peer that waits.
  ///
  /// - Returns: whether it may say more.
  mutating func note(_ line: [UInt8], of peer: PeerID) -> Bool {
    guard var entry = entries.removeValue(forKey: peer) else { return true }
    LinkText.append(line[...], to: &entry.text)
    entry.text.append(LinkText.lineFeed)
    entries[peer] = entry
    byteCount += line.count + 1
    return entry.text.count <= limits.lineBytes
  }

  /// Lets a peer out.
  ///
  /// - Returns: who it is; `nil` if it does not wait.
  @discardableResult
  mutating func leave(_ peer: PeerID) -> Visitor? {
    guard let entry = entries.removeValue(forKey: peer) else { return nil }
    byteCount -= entry.text.count
    if let address = PeerAddress(host: entry.arrival.host) { arrivals.leave(address) }
    return Visitor(
      arrival: entry.arrival, isSecured: entry.isSecured,
      lines: entry.text.split(separator: LinkText.lineFeed))
  }

  /// Notes that a beat has passed.
  ///
  /// - Returns: those who have waited too long.
  mutating func beat() -> [PeerID] {
    for peer in entries.keys { entries[peer]?.beats += 1 }
    return peers.filter { entries[$0].map { $0.beats > Self.longestWait } ?? false }
  }
}
