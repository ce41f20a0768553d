import GroupSessions
import Naming
import Playback
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// Both kinds of people are in the same group, and the same session.
@Suite struct NativePeersTests {
  private func session(_ world: SyncplayWorld, of peer: PeerID) throws -> SessionID {
    let offers = (world.natives[peer] ?? []).compactMap { message -> SessionID? in
      if case .offer(let offer) = message { offer.session } else { nil }
    }
    return try #require(offers.last)
  }

  private func join(_ world: inout SyncplayWorld, _ name: UserID) throws -> PeerID {
    let native = world.connectNative(name.text, joins: "lobby")
    world.ask(.join(try session(world, of: native), handoffFrom: nil), 2, as: native)
    return native
  }

  private let item = SyncplayRoom.item(ofFile: "film.mkv")

  @Test func `each sees the other come and go`() throws {
    var world = try LatecomerTests.watching()
    let native = try join(&world, "nina")
    try SyncplayScript(
      #"""
      alice < {"Set":{"user":{"nina":{"room":{"name":"lobby"},"event":{"joined":true}}}}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{},"nina":{"file":{},"isReady":null}}}}
      """#
    ).play(on: &world)
    let members = (world.natives[native] ?? []).compactMap { message -> [String]? in
      if case .group(let group) = message { group.members.values.map(\.name) } else { nil }
    }
    #expect(members.last.map { Set($0).isSuperset(of: ["alice", "nina"]) } == true)
    world.ask(.leaveGroup, 3, as: native)
    try SyncplayScript(#"alice < {"Set":{"user":{"nina":{"event":{"left":true}}}}}"#)
      .play(on: &world)
  }

  @Test func `a room stays for those who are there by other means`() throws {
    var world = try LatecomerTests.watching()
    let native = try join(&world, "nina")
    let lists = #"alice < {"List":{"elsewhere":{"alice":{}},"lobby":{"nina":{}}}}"#
    try SyncplayScript(
      #"""
      alice > {"Set":{"room":{"name":"elsewhere"}}}
      alice > {"List":null}
      \#(lists)
      wait 100
      alice > {"List":null}
      \#(lists)
      """#
    ).play(on: &world)
    world.ask(.leaveGroup, 3, as: native)
    try SyncplayScript(
      #"""
      alice < {"Set":{"user":{"nina":{"room":{"name":"lobby"},"event":{"left":true}}}}}
      wait 31
      """#
    ).play(on: &world)
    #expect(world.lobby.roster.rooms["lobby"] == nil)
  }

  @Test func `a kept room stands still only when nobody is there by any means`() throws {
    var world = SyncplayWorld.keepingRooms()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > {"Set":{"playlistChange":{"files":["a.mkv"]}}}
      alice > {"Set":{"playlistIndex":{"index":0}}}
      alice > {"Set":{"file":{"name":"a.mkv","duration":1000,"size":5}}}
      wait 8
      """#
    ).play(on: &world)
    let native = try join(&world, "nina")
    let item = try #require(world.lobby.roster.rooms["lobby"]?.item)
    world.ask(.playback(nil, .transition(to: item)), 3, as: native)
    world.ask(.playback(nil, .play(item, immediately: true)), 4, as: native)
    try SyncplayScript("wait 2\nalice leaves\nwait 20").play(on: &world)
    #expect(world.lobby.roster.rooms["lobby"]?.isPaused == false)
    world.ask(.leaveGroup, 5, as: native)
    world.wait(1)
    #expect(world.lobby.roster.rooms["lobby"]?.isPaused == true)
  }

  @Test func `a native's name is free among Syncplay's, and the other way round`() throws {
    var world = try LatecomerTests.watching()
    _ = try join(&world, "alice")
    try SyncplayScript(#"alice < {"Set":{"user":{"alice_":{"event":{"joined":true}}}}}"#)
      .play(on: &world)
  }

  @Test func `each steers the other`() throws {
    var world = try LatecomerTests.watching()
    let native = try join(&world, "nina")
    world.ask(.playback(nil, .transition(to: item)), 3, as: native)
    world.ask(.playback(nil, .pause(item)), 4, as: native)
    try SyncplayScript(
      #"""
      alice < {"State":{"playstate":{"paused":true,"setBy":"nina"},"ignoringOnTheFly":{"server":1}}}
      wait 1
      """#
    ).play(on: &world)
    world.ask(.playback(nil, .seek(item, to: .seconds(1_200))), 5, as: native)
    try SyncplayScript(
      #"""
      alice < {"State":{"playstate":{"position":1200,"paused":true,"doSeek":true,"setBy":"nina"}}}
      wait 1
      alice > {"State":{"playstate":{"position":1200,"paused":false},"ignoringOnTheFly":{"client":5}}}
      wait 0.5
      """#
    ).play(on: &world)
    let starts = (world.natives[native] ?? []).filter { message in
      guard case .event(_, _, _, .playback(.timelineSet(_, let phase, _, _, _))) = message else {
        return false
      }
      return switch phase {
      case .preparing, .playing: true
      default: false
      }
    }
    #expect(!starts.isEmpty)
  }

  @Test func `chat goes both ways`() throws {
    var world = try LatecomerTests.watching()
    let native = try join(&world, "nina")
    world.ask(.send(nil, ChatLine.payload("hi \"all\""), to: .all), 3, as: native)
    try SyncplayScript(
      #"""
      alice < {"Chat":{"username":"nina","message":"hi \"all\""}}
      alice > {"Chat":"hello"}
      alice < {"Chat":{"username":"alice"}}
      """#
    ).play(on: &world)
    let heard = (world.natives[native] ?? []).contains { message in
      guard case .event(_, _, _, .messageSent(let payload, _, _)) = message else { return false }
      return payload.text == #"{"chat":"hello"}"#
    }
    #expect(heard)
  }

  @Test func `another rate is announced once, and followed by seeks`() throws {
    var world = try LatecomerTests.watching()
    let native = try join(&world, "nina")
    world.ask(.playback(nil, .transition(to: item)), 3, as: native)
    world.ask(.playback(nil, .setRate(item, try #require(Rate(1.5)))), 4, as: native)
    world.ask(.playback(nil, .setRate(item, try #require(Rate(1.5)))), 5, as: native)
    world.wait(40)
    let lines = world.heard(by: "alice")
    #expect(lines.count { $0["Chat"] != nil } == 1)
    let seeks = lines.count { $0["State"]?["playstate"]?["doSeek"] == .bool(true) }
    #expect((3...4).contains(seeks))
  }

  @Test func `hosts are a managed room's operators, by whatever means they came`() throws {
    var world = SyncplayWorld()
    let group: GroupID = "+lobby:EB6501C30B97"
    let (nina, otto) = (
      world.connectNative("nina", joins: group), world.connectNative("otto", joins: group)
    )
    let activity = GroupActivity(
      type: "watch", payload: .nothing, metadata: GroupActivityMetadata(title: "Sintel"), media: nil
    )
    world.ask(.activate(Activation(activity, control: .hostsOnly)), 2, as: nina)
    for peer in [nina, otto] {
      world.ask(.join(try session(world, of: peer), handoffFrom: nil), 3, as: peer)
    }
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", "+lobby:EB6501C30B97"))
      alice < {"Hello":{}}
      wait 1
      alice > {"List":null}
      alice < {"List":{"+lobby:EB6501C30B97":{"nina":{"controller":true},"otto":{"controller":false}}}}
      """#
    ).play(on: &world)
    let people = try #require(world.lobby.roster.rooms[group.text]?.session?.participants.values)
    let other = try #require(people.first { $0.name == "otto" })
    world.ask(.setRole(nil, other.id, .host), 4, as: nina)
    try SyncplayScript(
      #"""
      alice < {"Set":{"controllerAuth":{"user":"otto","room":"+lobby:EB6501C30B97","success":true}}}
      alice > {"List":null}
      alice < {"List":{"+lobby:EB6501C30B97":{"otto":{"controller":true}}}}
      """#
    ).play(on: &world)
  }

  @Test func `a managed room's password makes a host where natives began, too`() throws {
    var world = SyncplayWorld()
    let group: GroupID = "+lobby:EB6501C30B97"
    let natives = ["nina", "otto"].map { world.connectNative($0, joins: group) }
    let media = MediaItem(url: "https://example.org/sintel.mp4", duration: .seconds(888))
    let activity = GroupActivity(
      type: "watch", payload: .nothing, metadata: GroupActivityMetadata(title: "Sintel"),
      media: media)
    world.ask(.activate(Activation(activity, control: .hostsOnly)), 2, as: natives[0])
    for peer in natives {
      world.ask(.join(try session(world, of: peer), handoffFrom: nil), 3, as: peer)
    }
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", "+lobby:EB6501C30B97"))
      alice > {"Set":{"file":{"name":"sintel.mp4","duration":888,"size":5}}}
      wait 8
      alice > {"Set":{"controllerAuth":{"room":"+lobby:EB6501C30B97","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"user":"alice","success":true}}}
      wait 1
      alice > {"State":{"playstate":{"position":100,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      alice < {"State":{"playstate":{"position":100},"ignoringOnTheFly":{"client":1}}}
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms[group.text])
    let alice = try #require(room.session?.people.first { $0.name == "alice" })
    #expect(alice.role == .host)
    #expect(abs(room.place(at: world.now) - 100) < 0.001)
  }

  @Test func `a native's session is joined as it is`() throws {
    var world = SyncplayWorld()
    let native = world.connectNative("nina", joins: "lobby")
    let other = world.connectNative("otto", joins: "lobby")
    let media = MediaItem(url: "https://example.org/sintel.mp4", duration: .seconds(888))
    let activity = GroupActivity(
      type: "watch", payload: .nothing, metadata: GroupActivityMetadata(title: "Sintel"),
      media: media)
    world.ask(.activate(Activation(activity)), 2, as: native)
    for peer in [native, other] {
      world.ask(.join(try session(world, of: peer), handoffFrom: nil), 3, as: peer)
      world.ask(.playback(nil, .transition(to: media.item)), 4, as: peer)
    }
    world.ask(.playback(nil, .seek(media.item, to: .seconds(100))), 5, as: native)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice < {"Hello":{}}
      alice < {"State":{"playstate":{"position":100,"paused":true}}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"nina":{"file":{"name":"https://example.org/sintel.mp4","duration":888}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `a film that was started before the first Syncplay user came was started by somebody`()
    throws
  {
    var world = SyncplayWorld()
    let natives = ["nina", "otto"].map { world.connectNative($0, joins: "lobby") }
    let media = MediaItem(url: "https://example.org/sintel.mp4", duration: .seconds(888))
    let activity = GroupActivity(
      type: "watch", payload: .nothing, metadata: GroupActivityMetadata(title: "Sintel"),
      media: media)
    world.ask(.activate(Activation(activity)), 2, as: natives[0])
    for peer in natives {
      world.ask(.join(try session(world, of: peer), handoffFrom: nil), 3, as: peer)
      world.ask(.playback(nil, .transition(to: media.item)), 4, as: peer)
    }
    world.ask(.playback(nil, .play(media.item, immediately: true)), 5, as: natives[0])
    world.wait(5)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      wait 3
      alice ! {"State":{"playstate":{"paused":false,"setBy":null}}}
      alice < {"State":{"playstate":{"paused":false,"setBy":"Matinee"}}}
      """#
    ).play(on: &world)
  }

  @Test func `a copy of another length is told with that length, and without a size`() throws {
    var world = SyncplayWorld()
    let natives = ["nina", "otto"].map { world.connectNative($0, joins: "lobby") }
    let media = MediaItem(url: "sintel.mp4", size: .bytes(7))
    let activity = GroupActivity(
      type: "watch", payload: .nothing, metadata: GroupActivityMetadata(title: "Sintel"),
      media: media)
    world.ask(.activate(Activation(activity)), 2, as: natives[0])
    for (peer, length) in zip(natives, [888, 600]) {
      world.ask(.join(try session(world, of: peer), handoffFrom: nil), 3, as: peer)
      world.ask(
        .playback(nil, .transition(to: media.item, duration: .seconds(length))), 4, as: peer)
    }
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice < {"State":{}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"nina":{"file":{"duration":888,"size":7}},"otto":{"file":{"duration":600,"size":0}}}}}
      """#
    ).play(on: &world)
    world.ask(
      .playback(nil, .transition(to: media.item, duration: .seconds(700))), 5, as: natives[1])
    try SyncplayScript(
      #"alice < {"Set":{"user":{"otto":{"file":{"name":"sintel.mp4","duration":700,"size":0}}}}}"#
    ).play(on: &world)
  }

  @Test func `who cannot open the film has none open`() throws {
    func files(_ world: SyncplayWorld) -> [JSONTree] {
      world.heard(by: "alice").compactMap { $0["Set"]?["user"]?["nina"]?["file"] }
    }
    var world = try LatecomerTests.watching()
    let native = try join(&world, "nina")
    world.ask(.playback(nil, .transition(to: item)), 3, as: native)
    world.ask(.playback(nil, .suspend(.coordinatedPlaybackNotPossible)), 4, as: native)
    #expect(files(world).last == .object([:]))
    let session = try #require(world.lobby.roster.rooms["lobby"]?.session)
    let nina = try #require(session.people.first { $0.name == "nina" })
    let suspension = try #require(session.playback.participants[nina.id]?.suspensions.first?.id)
    world.ask(.playback(nil, .endSuspension(suspension)), 5, as: native)
    #expect(files(world).last?["name"] == .string("film.mkv"))
  }
}
