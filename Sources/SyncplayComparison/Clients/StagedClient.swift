import Players
package import Scenarios

/// Somebody on a stage: a program with an mpv, behind a network of its own.
package protocol StagedClient: AnyObject {
  /// What others call the person.
  var name: String { get }
  /// What it printed last.
  var words: String { get }
  /// Whether its mpv is there.
  var hasPlayer: Bool { get }
  /// Whether it is gone.
  var hasEnded: Bool { get }

  /// A key on the player itself; it is up to the client to see that.
  func press(_ key: PlayerKey)
  /// A line at the client's own console.
  func say(_ line: String)
  /// Breaks its connection, and lets no other through until ``restoreNetwork()``.
  func cutNetwork()
  /// Lets connections through again.
  func restoreNetwork()
  /// Ends it; a second call does nothing.
  func close()
  /// Removes what it worked with, once it has ended.
  func removeFiles()
}

extension MpvKeyboard {
  func press(_ key: PlayerKey) {
    switch key {
    case .play: play()
    case .pause: pause()
    case .seek(let place): seek(to: place)
    // Syncplay has no rates.
    case .rate: break
    }
  }
}
