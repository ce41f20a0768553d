import GroupSessions
import Simulation
import UserNotifications
import Vocabulary
import Wire

/// What people were told and promised by a simulated cluster, held against its database.
struct ClusterLedger {
  /// What was broken; empty unless a server is wrong.
  private(set) var flaws: [String] = []
  /// The last number of each session that each device was told.
  private var told: [Place: Int] = [:]
  /// What people said, added and listed, each of them once, as far as it was acknowledged.
  private(set) var acknowledged: Set<String> = []
  /// How often each of these stands in the database, and how much of it has been read.
  private var standing: [String: Int] = [:]
  private var readSessions: [SessionID: Int] = [:]
  private var readGroups: [GroupID: Int] = [:]
  private var checkedFlaws = 0

  private struct Place: Hashable {
    let host: Int
    let session: SessionID
  }

  mutating func complain(_ flaw: String) { flaws.append(flaw) }

  /// Notes that a request was acknowledged; what it says stands in the database by then.
  mutating func acknowledge(_ text: String, _ database: SimulatedDatabase) {
    acknowledged.insert(text)
    read(database)
    let count = standing[text, default: 0]
    if count != 1 { flaws.append("\(text) was acknowledged, and stands \(count) times") }
  }

  /// Counts what has been kept since the last time.
  private mutating func read(_ database: SimulatedDatabase) {
    for id in database.sessionIDs {
      let events = database.events(of: id)
      for event in events[readSessions[id, default: 0]...] {
        for text in Self.texts(in: event) { standing[text, default: 0] += 1 }
      }
      readSessions[id] = events.count
    }
    for id in database.groupIDs {
      let events = database.events(of: id)
      for case .objectUpdated(_, let changes, _) in events[readGroups[id, default: 0]...] {
        for text in changes.values.compactMap(\.string) { standing[text, default: 0] += 1 }
      }
      readGroups[id] = events.count
    }
  }

  private static func texts(in event: SessionEvent) -> [String] {
    switch event {
    case .messageSent(let text, _, _): [text.text]
    case .queue(.inserted(let entries, _), _): entries.compactMap(\.media.title)
    default: []
    }
  }

  /// Notes what a device heard.
  mutating func hear(_ message: ServerMessage, on host: Int, _ database: SimulatedDatabase) {
    switch message {
    case .snapshot(let snapshot):
      told[Place(host: host, session: snapshot.session.id)] = snapshot.session.seq
    case .event(let id, let seq, _, let event):
      note(seq, of: id, on: host)
      let kept = database.events(of: id)
      if seq > kept.count || kept[seq - 1] != event {
        flaws.append("\(host) was told \(seq) of \(id), which is not kept: \(event)")
      }
    case .withheld(let id, let seq): note(seq, of: id, on: host)
    default: break
    }
  }

  /// Numbers come without a gap, and none twice.
  private mutating func note(_ seq: Int, of id: SessionID, on host: Int) {
    let place = Place(host: host, session: id)
    if let last = told[place], seq != last + 1 {
      flaws.append("\(host) was told \(seq) of \(id) after \(last)")
    }
    told[place] = seq
  }

  /// Checks what no step may break.
  mutating func check(_ database: SimulatedDatabase) {
    flaws += database.flaws.dropFirst(checkedFlaws)
    checkedFlaws = database.flaws.count
  }

  /// Checks the whole database: nothing stands twice, and nobody has left who did not want to.
  mutating func checkAll(_ database: SimulatedDatabase) {
    read(database)
    for (text, count) in standing.sorted(by: { $0.key < $1.key }) where count > 1 {
      flaws.append("\(text) stands \(count) times")
    }
    for id in database.sessionIDs {
      for event in database.events(of: id) {
        switch event {
        case .left(let participant, let reason) where reason != .left:
          flaws.append("\(participant) has left \(id): \(reason)")
        case .ended(let reason): flaws.append("\(id) has ended: \(reason)")
        default: break
        }
      }
    }
    for id in database.groupIDs {
      for case .memberLeft(let device, let reason) in database.events(of: id) where reason != .left
      {
        flaws.append("\(device) has left \(id): \(reason)")
      }
    }
    for text in acknowledged.sorted() where standing[text] == nil {
      flaws.append("\(text) is lost")
    }
  }
}
