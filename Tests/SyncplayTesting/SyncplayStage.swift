/// Somewhere a script can be played.
package protocol SyncplayStage {
  /// Opens a client's connection.
  mutating func connect(_ name: String) throws
  /// Has a client say a line.
  mutating func say(_ line: String, as name: String) throws
  /// Has a client hang up.
  mutating func leave(_ name: String) throws
  /// Has a client answer no States from here on.
  mutating func mute(_ name: String) throws
  /// Lets that much of the protocol's time pass, in seconds.
  mutating func wait(_ seconds: Double) throws
  /// Goes on until a condition holds, or patience is over.
  mutating func wait(until condition: @escaping (Self) -> Bool) throws
  /// The lines that a client heard and no step looked at yet.
  func heard(by name: String) -> [JSONTree]
  /// Passes over the first of those.
  mutating func skip(_ count: Int, heardBy name: String)
  /// Whether a client was hung up on.
  func isOver(_ name: String) -> Bool
  /// How far apart times may be that are to be the same, in seconds.
  var slack: Double { get }
}
