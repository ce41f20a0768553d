import Clusters
import Coordination
package import GroupSessions
package import Vocabulary

/// The database that servers share, as a value: the journal, who has it, and whether that one lives.
///
/// It keeps the rules of the journal in PostgreSQL: a batch is kept as a whole or not at all, by its
/// owner only, and once, however often it is sent.
package struct SimulatedDatabase: Sendable {
  /// A change of the journal.
  enum Write: Sendable {
    case append(Append)
    case snapshot(AggregateState)
    case forget(AggregateID)
  }

  /// The process that has the journal; 0 for none.
  private(set) var owner: Int64 = 0
  private(set) var beat: Int64 = 0
  /// How many processes have had the journal.
  package private(set) var ownerCount = 0
  /// The node that takes links.
  private(set) var link: Int?
  /// The process that has the writer's lock.
  private(set) var lockHolder: Int64?
  private var journal = SimulatedJournal()
  private var lastBatch = 0
  /// How many events each stream has.
  private var counts: [AggregateID: Int] = [:]
  private var sessions: [SessionID: [SessionEvent]] = [:]
  private var groups: [GroupID: [GroupEvent]] = [:]
  /// What no owner may do; empty unless a server is wrong.
  package private(set) var flaws: [String] = []

  /// What a server that stands by sees of the one that decides.
  var look: PulseWatch.Look {
    PulseWatch.Look(owner: owner, beat: beat, isHeld: lockHolder != nil)
  }

  /// Every event of a session that was ever kept, in order.
  package func events(of session: SessionID) -> [SessionEvent] { sessions[session, default: []] }

  /// Every event of a group that was ever kept, in order.
  package func events(of group: GroupID) -> [GroupEvent] { groups[group, default: []] }

  /// The groups that ever were.
  package var groupIDs: [GroupID] { groups.keys.sorted() }

  /// The sessions that ever were.
  package var sessionIDs: [SessionID] { sessions.keys.sorted() }

  /// Keeps a batch.
  ///
  /// - Returns: false if another process has the journal.
  mutating func write(_ batch: [Write], number: Int, by process: Int64) -> Bool {
    guard process == owner else { return false }
    lockHolder = process
    guard number > lastBatch else { return true }
    lastBatch = number
    for write in batch {
      switch write {
      case .append(let append): keep(append)
      case .snapshot(let state): journal.keep(state)
      case .forget(let aggregate):
        journal.forget(aggregate)
        counts[aggregate] = nil
      }
    }
    return true
  }

  private mutating func keep(_ append: Append) {
    let count = counts[append.aggregate, default: 0]
    if !append.events.isEmpty, append.after != count {
      flaws.append("\(append.aggregate) has \(count) events, not \(append.after)")
    }
    counts[append.aggregate] = count + append.events.count
    for record in append.events {
      switch (append.aggregate, record.event) {
      case (.session(let id), .session(let event)): sessions[id, default: []].append(event)
      case (.group(let id), .group(let event)): groups[id, default: []].append(event)
      default: break
      }
    }
    journal.keep(append)
  }

  /// Gives the journal to another process, if it still has the owner and the beat that this one saw.
  mutating func take(for process: Int64, after look: PulseWatch.Look) -> Bool {
    guard owner == look.owner, beat == look.beat else { return false }
    (self.owner, self.beat, link, lockHolder, lastBatch) = (process, beat + 1, nil, process, 0)
    ownerCount += 1
    return true
  }

  /// Gives the journal back, so that the next one that looks may take it.
  mutating func giveBack(by process: Int64) {
    guard process == owner else { return }
    (owner, link, lockHolder) = (0, nil, nil)
  }

  /// Notes that a process lives, and which node takes its links.
  ///
  /// - Returns: false if another one has the journal.
  mutating func beat(by process: Int64, takingLinksAt node: Int?) -> Bool {
    guard process == owner else { return false }
    (beat, link, lockHolder) = (beat + 1, node, process)
    return true
  }

  /// Frees the writer's lock, of this process or whoever has it, because its connection is over.
  mutating func unlock(by process: Int64? = nil) {
    if process == nil || process == lockHolder { lockHolder = nil }
  }

  /// The contents for the next owner.
  func recovery() throws(BrokenStream) -> Recovery { try journal.recovery() }
}
