import EventLoops

/// What a client's thread tells and the app observes.
final class SharedClientState: Sendable {
  /// Sessions and notices that wait for a slow reader: there is one live session a group.
  private static let bufferedElements = 32

  let connection = Observed(ConnectionState.connecting(nil))
  let eligibility = Observed(GroupEligibility.ineligible("notConnected"))
  let group = Observed<GroupSummary?>(nil)
  let notices = Broadcast<String>(buffering: bufferedElements)
  let arrivals = Broadcast<SessionCore>(buffering: bufferedElements)
  private let cores = Locked<[SessionCore]>([])

  /// The sessions that wait or go on.
  var sessions: [SessionCore] { cores.withLock { $0 } }

  func add(_ core: SessionCore) {
    cores.withLock { $0.append(core) }
    arrivals.send(core)
  }

  func remove(_ core: SessionCore) {
    cores.withLock { $0.removeAll { $0 === core } }
  }

  func finish() {
    connection.finish()
    eligibility.finish()
    group.finish()
    notices.finish()
    arrivals.finish()
  }
}
