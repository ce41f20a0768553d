import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// Whoever comes is told by whom the list and its current entry are.
///
/// Debian's client takes an entry of nobody for its own choice: before it is welcomed it then opens
/// nothing, and the film that it was started with is forgotten.
@Suite struct PlaylistAuthorTests {
  private static let delays = [Duration.zero, .milliseconds(50)]

  /// Alice has opened the film by hand; Bob's client lists the same one and selects it.
  private func listed(_ delay: Duration) throws -> SyncplayWorld {
    var world = try LatecomerTests.watching()
    world.journalDelay = delay
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(LatecomerTests.hello("bob"))
      bob < {"Hello":{}}
      bob > \#(LatecomerTests.file)
      bob > {"Set":{"playlistChange":{"files":["film.mkv"]}}}
      bob > {"Set":{"playlistIndex":{"index":0}}}
      bob < {"Set":{"playlistIndex":{"user":"bob","index":0}}}
      alice < {"Set":{"playlistIndex":{"user":"bob","index":0}}}
      """#
    ).play(on: &world)
    return world
  }

  @Test(arguments: delays)
  func `who comes to a film that others listed is told by whom`(delay: Duration) throws {
    var world = try listed(delay)
    try SyncplayScript(
      #"""
      cleo connects
      cleo > \#(LatecomerTests.hello("cleo"))
      cleo < {"Set":{"playlistChange":{"user":"bob","files":["film.mkv"]}}}
      cleo < {"Set":{"playlistIndex":{"user":"bob","index":0}}}
      cleo < {"Hello":{}}
      """#
    ).play(on: &world)
  }

  @Test(arguments: delays)
  func `who moves to such a room is told the same`(delay: Duration) throws {
    var world = try listed(delay)
    try SyncplayScript(
      #"""
      cleo connects
      cleo > \#(LatecomerTests.hello("cleo", "other"))
      cleo < {"Hello":{}}
      cleo > {"Set":{"room":{"name":"lobby"}}}
      cleo < {"Set":{"playlistChange":{"user":"bob","files":["film.mkv"]}}}
      cleo < {"Set":{"playlistIndex":{"user":"bob","index":0}}}
      """#
    ).play(on: &world)
  }

  @Test func `after a restart the list and its entry are the server's`() throws {
    var world = try listed(.zero)
    try world.restart(after: .seconds(3))
    world.wait(1)
    try SyncplayScript(
      #"""
      cleo connects
      cleo > \#(LatecomerTests.hello("cleo"))
      cleo < {"Set":{"playlistChange":{"user":"Matinee","files":["film.mkv"]}}}
      cleo < {"Set":{"playlistIndex":{"user":"Matinee","index":0}}}
      cleo < {"Hello":{}}
      """#
    ).play(on: &world)
  }

  @Test func `a queue that people made by other means before is the server's`() throws {
    var world = SyncplayWorld()
    let natives = ["nina", "otto"].map { world.connectNative($0, joins: "lobby") }
    let activity = GroupActivity(
      type: "watch", payload: .nothing, metadata: GroupActivityMetadata(title: "a"),
      media: MediaItem(url: "a.mkv", duration: .seconds(888)))
    world.ask(.activate(Activation(activity)), 2, as: natives[0])
    for peer in natives {
      let offers = (world.natives[peer] ?? []).compactMap { message -> SessionID? in
        if case .offer(let offer) = message { offer.session } else { nil }
      }
      world.ask(.join(try #require(offers.last), handoffFrom: nil), 3, as: peer)
    }
    world.ask(.queue(nil, .insert([MediaItem(url: "b.mkv")], at: .end)), 4, as: natives[0])
    let news = [
      #"{"Set":{"playlistChange":{"user":"Matinee","files":["a.mkv","b.mkv"]}}}"#,
      #"{"Set":{"playlistIndex":{"user":"Matinee","index":0}}}"#,
    ]
    // The first one is told as soon as the room's keeper is there, the second one at once.
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice < {"Hello":{}}
      alice < \#(news[0])
      alice < \#(news[1])
      cleo connects
      cleo > \#(LatecomerTests.hello("cleo"))
      cleo < \#(news[0])
      cleo < \#(news[1])
      cleo < {"Hello":{}}
      """#
    ).play(on: &world)
  }
}
