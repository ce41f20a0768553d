package import TLS
package import Vocabulary
package import Wire

/// Addresses at which a server accepts connections in another way than at its own.
package protocol Door: AnyObject {
  /// The addresses, with the ports that the system chose.
  var endpoints: [String] { get }

  /// Proves itself by this certificate from now on, if it proves itself by one.
  func use(_ identity: TLSIdentity)
  /// Stops accepting connections; open ones stay as long as somebody needs them.
  func stopListening()
}

/// A protocol beside the native one whose clients are ordinary peers of the coordinator.
///
/// A dialect translates: what its clients send becomes requests of native peers, and what the
/// coordinator sends to those peers becomes lines of the dialect. The server makes the peers, with
/// connections or without. While the coordinator or a dialect handles an input, further inputs for
/// either wait in one queue, so that each receives them in the order in which they arose. Confined
/// to the server's loop.
package protocol Dialect: Door {
  /// When ``advanceClock()`` is due; `nil` while there is no deadline.
  var nextDeadline: Instant? { get }
  /// Whether only the server's own peers start sessions in a group; they let those steer who prove
  /// to the dialect that they may.
  var isManaged: @Sendable (GroupID) -> Bool { get }

  /// Handles that time has passed.
  func advanceClock()
  /// Handles a message that the coordinator sends to some of the dialect's peers.
  func receive(_ message: ServerMessage, for peers: Peers)
  /// Handles that the coordinator closes one of the dialect's peers.
  func refuse(_ peer: PeerID, _ error: ProtocolError)
  /// Handles that the server has closed one of the dialect's peers without a word.
  func lose(_ peer: PeerID)
  /// Handles the first waiting input.
  func handleNextInput(at now: Instant)
}
