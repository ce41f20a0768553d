import GroupSessions
import Simulation
import Vocabulary
import Wire

/// What people were told and promised by a simulated cluster, held against its database.
struct ClusterLedger {
  /// What was broken; empty unless a server is wrong.
  private(set) var flaws: [String] = []
  /// The last number of each session that each device was told.
  private var told: [Place: Int] = [:]
  /// The messages that were acknowledged.
  private(set) var acknowledged: Set<String> = []
  private var checkedFlaws = 0

  private struct Place: Hashable {
    let host: Int
    let session: SessionID
  }

  mutating func complain(_ flaw: String) { flaws.append(flaw) }

  /// Notes that a message was acknowledged; it stands in the database by then.
  mutating func acknowledge(_ text: String, _ database: SimulatedDatabase) {
    acknowledged.insert(text)
    let count = count(of: text, in: database)
    if count != 1 { flaws.append("\(text) was acknowledged, and stands \(count) times") }
  }

  private func count(of text: String, in database: SimulatedDatabase) -> Int {
    database.sessionIDs.reduce(0) { sum, id in
      sum
        + database.events(of: id).count {
          if case .messageSent(let said, _, _) = $0 { said.text == text } else { false }
        }
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
    var seen: Set<String> = []
    for id in database.sessionIDs {
      for event in database.events(of: id) {
        switch event {
        case .messageSent(let text, _, _):
          if !seen.insert(text.text).inserted { flaws.append("\(text.text) stands twice") }
        case .left(let participant, let reason) where reason != .left:
          flaws.append("\(participant) has left \(id): \(reason)")
        case .ended(let reason): flaws.append("\(id) has ended: \(reason)")
        default: break
        }
      }
    }
    for text in acknowledged.subtracting(seen).sorted() { flaws.append("\(text) is lost") }
  }
}
