/// One connection, as the shell that holds it and the coordinator know it; never on the wire.
///
/// A number, not a text: the shell finds the connection of each delivery by indexing an array.
public struct PeerID: Hashable, Sendable, CustomStringConvertible {
  /// The connection's place in the shell's table, used again after it closed.
  public let slot: UInt32
  /// How often the place was used before, so that a late answer never reaches a successor.
  public let generation: UInt32

  /// The connection at this place.
  public init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// The two numbers, for logs.
  public var description: String { "\(slot).\(generation)" }
}
