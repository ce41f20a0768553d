/// When in the end of a turn something is done.
package enum TurnEndPhase: Comparable {
  /// First: settle what the turn's events add up to, such as one transaction for all of them.
  case settle
  /// Last: write what was enqueued meanwhile, one write a peer.
  case write
}
