/// The peers that do not keep up, and the bytes that wait for all of them together.
///
/// One object for all lists of a server, whatever their protocols; clients of HTTP are peers, too.
/// What several peers wait for is counted for each, although they share it. Confined to its loop's
/// thread.
package final class Backlogs {
  private let most: Int
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var total = 0

  /// How many peers do not keep up.
  package var count: Int { entries.count }
  /// How much waits for them.
  package var bytes: Int { total }

  private struct Entry {
    let connection: any Backlogged
    var bytes: Int
  }

  /// - Parameter most: how many bytes may wait for all peers together.
  package init(atMost most: Int) {
    self.most = most
  }

  /// Notes how much waits for a connection; nothing waits for one that keeps up or is closed.
  func note(_ bytes: Int, for connection: any Backlogged) {
    let id = ObjectIdentifier(connection)
    total += bytes - (entries[id]?.bytes ?? 0)
    entries[id] = bytes > 0 ? Entry(connection: connection, bytes: bytes) : nil
  }

  /// Drops the connections for which most waits, so that the others have room.
  func dropExcess() {
    for connection in takeExcess() { connection.overflow() }
  }

  /// Removes and returns the connections that have to go, the fullest first.
  private func takeExcess() -> [any Backlogged] {
    guard total > most else { return [] }
    var excess: [any Backlogged] = []
    for entry in entries.values.sorted(by: { $0.bytes > $1.bytes }) {
      guard total > most else { break }
      note(0, for: entry.connection)
      excess.append(entry.connection)
    }
    return excess
  }
}

@available(*, unavailable)
extension Backlogs: Sendable {}

/// A connection whose waiting bytes ``Backlogs`` counts.
protocol Backlogged: AnyObject {
  /// Makes it close as one that does not read, because too much waits for all together.
  ///
  /// It is no longer counted by then.
  func overflow()
}
