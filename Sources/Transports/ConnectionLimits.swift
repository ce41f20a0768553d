/// What one kind of connection may take of this process's memory and time.
package struct ConnectionLimits: Equatable, Sendable {
  /// How long a line from the peer may be, without its ending; it bounds what is kept of one.
  package var lineBytesMaximum: Int
  /// How much may wait for a peer that reads slowly, on top of the kernel's send buffer.
  package var backlogBytesMaximum: Int
  /// How much may wait for a peer when a droppable message is still queued behind it.
  package var droppableBytesMaximum: Int
  /// How long a closing connection may take to get its last bytes out and the peer's end in.
  package var drainTime: Duration

  /// The limits, by default what suits peers of a session.
  ///
  /// - Parameters:
  ///   - lineBytesMaximum: 64 KiB, the most one read brings.
  ///   - backlogBytesMaximum: 1 MiB, some five thousand messages: whoever is that far behind is
  ///     better off to connect again and be told the present state.
  ///   - droppableBytesMaximum: 256 KiB: what a peer that far behind can do without is stale anyway.
  ///   - drainTime: two seconds, ten round trips of a poor line.
  package init(
    lineBytesMaximum: Int = 64 * 1024, backlogBytesMaximum: Int = 1024 * 1024,
    droppableBytesMaximum: Int = 256 * 1024, drainTime: Duration = .seconds(2)
  ) {
    self.lineBytesMaximum = lineBytesMaximum
    self.backlogBytesMaximum = backlogBytesMaximum
    self.droppableBytesMaximum = droppableBytesMaximum
    self.drainTime = drainTime
  }
}
