import DatabaseTesting

/// What a server runs with.
struct Surroundings {
  /// The command that runs it; none runs it directly.
  var wrapper: [String] = []
  /// Whether a second server stands by and takes over, which then gets a second one.
  var hasStandby = false
  /// Whether two further servers take people in, of which one takes over.
  var hasFronts = false
  /// Whether another server takes over from a dead one.
  var takesOver: Bool { hasStandby || hasFronts }
  /// The database's server, if something happens to it.
  var database: DatabaseServer?
  /// What happens to it, before one death after the other.
  var faults: [DatabaseFault] = []
}

/// What takes a database away, and what brings it back.
typealias DatabaseFault = (away: DatabaseServer.Command, back: DatabaseServer.Command)

/// How a server comes to its end.
enum Death: CaseIterable {
  case kill
  /// The server wakes after it was replaced.
  case freeze
  /// It sends everybody to the others, and ends.
  case drain
}

/// What happens to a server in front, or to the links.
enum FrontFault: CaseIterable {
  case kill
  /// It wakes again before anybody gives it up.
  case freeze
  case drain
  case cutLinks
  case stallLinks
}
