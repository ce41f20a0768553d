import Wire

/// What a node of a simulated cluster carries out for its server.
enum NodeEffect: Sendable {
  /// A message for one of its people.
  case send(ServerMessage, over: Int)
  /// Close the connection of one of its people.
  case close(Int)
  /// A line for a server in front.
  case say([UInt8], over: Int)
  case closeLink(Int)
  case write([SimulatedDatabase.Write], number: Int)
  /// Link it, as a server in front, to the server that decides.
  case linkUp
  case closeLinkUp
  /// A line for the server that decides.
  case sayUp([UInt8])
  /// Send everybody to the other servers, one by one.
  case drain
}
