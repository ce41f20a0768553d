import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// Who is ready, as both kinds of people say it and see it.
@Suite struct SharedReadinessTests {
  /// Alice and bob by Syncplay, nina by the native protocol, all in the session.
  private static func company(
    _ options: SyncplayOptions = SyncplayOptions(salt: "testsalt12"), room: String = "lobby"
  ) throws -> (world: SyncplayWorld, nina: PeerID) {
    var world = SyncplayWorld(options)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", room))
      bob connects
      bob > \#(LatecomerTests.hello("bob", room))
      wait 1
      """#
    ).play(on: &world)
    let nina = world.connectNative("nina", joins: GroupID(room))
    let session = try #require(world.lobby.roster.rooms[room]?.session?.id)
    world.ask(.join(session, handoffFrom: nil), 2, as: nina)
    return (world, nina)
  }

  private func participant(
    _ name: String, in world: SyncplayWorld, room: String = "lobby"
  ) throws -> Participant {
    let people = try #require(world.lobby.roster.rooms[room]?.session?.participants.values)
    return try #require(people.first { $0.name == name })
  }

  /// What was said so far about somebody's readiness to alice, in order.
  private func told(about name: String, _ world: SyncplayWorld) -> [String] {
    world.transcript.filter {
      $0.hasPrefix("alice <") && $0.contains(#""ready":{"username":"\#(name)""#)
    }
  }

  private func hasFailed(_ number: RequestID, _ world: SyncplayWorld, _ peer: PeerID) -> Bool {
    (world.natives[peer] ?? []).contains { message in
      if case .error(number, let error) = message { error.code == .forbidden } else { false }
    }
  }

  @Test func `what a client says is the session's, and told once`() throws {
    var (world, _) = try Self.company()
    try SyncplayScript(
      #"""
      bob > {"Set":{"ready":{"isReady":true,"manuallyInitiated":true}}}
      alice < {"Set":{"ready":{"username":"bob","isReady":true,"manuallyInitiated":true}}}
      wait 1
      """#
    ).play(on: &world)
    #expect(try participant("bob", in: world).isReadyToStart == true)
    #expect(try participant("alice", in: world).isReadyToStart == nil)
    // The first one is the arrival's.
    #expect(told(about: "bob", world).count == 2)
  }

  @Test func `what a client said before it took part is the session's, and goes along`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > {"Set":{"ready":{"isReady":false}}}
      wait 1
      """#
    ).play(on: &world)
    #expect(try participant("alice", in: world).isReadyToStart == false)
    try SyncplayScript(
      #"""
      alice > {"Set":{"room":{"name":"other"}}}
      wait 1
      """#
    ).play(on: &world)
    #expect(try participant("alice", in: world, room: "other").isReadyToStart == false)
  }

  @Test func `what a native says is told to clients, and listed`() throws {
    var (world, nina) = try Self.company()
    world.ask(.setReadyToStart(nil, true), 3, as: nina)
    try SyncplayScript(
      #"""
      alice < {"Set":{"ready":{"username":"nina","isReady":true}}}
      bob > {"List":null}
      bob < {"List":{"lobby":{"nina":{"isReady":true},"bob":{"isReady":null}}}}
      """#
    ).play(on: &world)
    world.ask(.leave(nil), 4, as: nina)
    try SyncplayScript(
      #"""
      alice < {"Set":{"ready":{"username":"nina","isReady":null}}}
      """#
    ).play(on: &world)
  }

  @Test func `a client sets a native's readiness`() throws {
    var (world, nina) = try Self.company()
    try SyncplayScript(
      #"""
      alice > {"Set":{"ready":{"isReady":true,"manuallyInitiated":true,"username":"nina"}}}
      bob < {"Set":{"ready":{"username":"nina","isReady":true,"manuallyInitiated":true,"setBy":"alice"}}}
      """#
    ).play(on: &world)
    #expect(try participant("nina", in: world).isReadyToStart == true)
    let heard = (world.natives[nina] ?? []).contains { message in
      if case .event(_, _, _, .readinessSet(_, true, _)) = message { true } else { false }
    }
    #expect(heard)
  }

  @Test func `a native sets a client's readiness`() throws {
    var (world, nina) = try Self.company()
    let bob = try participant("bob", in: world).id
    world.ask(.setReadyToStart(nil, true, of: bob), 3, as: nina)
    try SyncplayScript(
      #"""
      bob < {"Set":{"ready":{"username":"bob","isReady":true,"manuallyInitiated":true,"setBy":"nina"}}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"bob":{"isReady":true}}}}
      """#
    ).play(on: &world)
  }

  @Test func `in a managed room operators say it for others, whoever those are`() throws {
    let room = "+lobby:EB6501C30B97"
    var (world, nina) = try Self.company(room: room)
    let bob = try participant("bob", in: world, room: room).id
    world.ask(.setReadyToStart(nil, true, of: bob), 3, as: nina)
    #expect(hasFailed(3, world, nina))
    try SyncplayScript(
      #"""
      bob > {"Set":{"ready":{"isReady":true,"username":"nina"}}}
      alice ! {"Set":{"ready":{"username":"nina"}}}
      alice > {"Set":{"controllerAuth":{"room":"\#(room)","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":true}}}
      alice > {"Set":{"ready":{"isReady":true,"username":"nina"}}}
      bob < {"Set":{"ready":{"username":"nina","isReady":true,"setBy":"alice"}}}
      alice > {"Set":{"ready":{"isReady":true,"username":"bob"}}}
      bob < {"Set":{"ready":{"username":"bob","isReady":true,"setBy":"alice"}}}
      wait 1
      """#
    ).play(on: &world)
    #expect(try participant("nina", in: world, room: room).isReadyToStart == true)
    #expect(try participant("bob", in: world, room: room).isReadyToStart == true)
  }

  @Test func `nothing flickers where a disk is slow, and the last word holds`() throws {
    var (world, nina) = try Self.company()
    world.journalDelay = .milliseconds(50)
    let bob = try participant("bob", in: world).id
    let before = told(about: "bob", world).count
    for isReady in ["true", "false", "true"] {
      world.say(#"{"Set":{"ready":{"isReady":\#(isReady)}}}"#, as: "bob")
    }
    world.wait(1)
    #expect(told(about: "bob", world).count == before + 3)
    #expect(try participant("bob", in: world).isReadyToStart == true)
    // Bob's own word is the later one, although nina's comes back while it is under way.
    world.ask(.setReadyToStart(nil, false, of: bob), 3, as: nina)
    world.wait(0.01)
    world.say(#"{"Set":{"ready":{"isReady":true}}}"#, as: "bob")
    world.wait(1)
    #expect(try participant("bob", in: world).isReadyToStart == true)
    // Nina's is later here, although bob's was told already.
    world.say(#"{"Set":{"ready":{"isReady":false}}}"#, as: "bob")
    world.wait(0.01)
    world.ask(.setReadyToStart(nil, true, of: bob), 4, as: nina)
    world.wait(1)
    #expect(try participant("bob", in: world).isReadyToStart == true)
    try SyncplayScript(
      #"""
      alice > {"List":null}
      alice < {"List":{"lobby":{"bob":{"isReady":true}}}}
      """#
    ).play(on: &world)
  }

  @Test func `a server without readiness tells clients nothing of it`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.allowsReadiness = false
    var (world, nina) = try Self.company(options)
    let before = world.transcript.count { $0.contains(#""ready":{"#) }
    world.ask(.setReadyToStart(nil, true), 3, as: nina)
    world.ask(.setReadyToStart(nil, true, of: try participant("bob", in: world).id), 4, as: nina)
    try SyncplayScript(
      #"""
      bob > {"List":null}
      bob < {"List":{"lobby":{"nina":{"isReady":null},"bob":{"isReady":null}}}}
      """#
    ).play(on: &world)
    world.ask(.leave(nil), 5, as: nina)
    world.wait(1)
    #expect(world.transcript.count { $0.contains(#""ready":{"#) } == before)
  }

  @Test func `who comes to natives that are ready already hears so`() throws {
    var world = SyncplayWorld()
    let natives = ["nina", "otto"].map { world.connectNative($0, joins: "lobby") }
    let activity = GroupActivity(
      type: "watch", payload: .nothing, metadata: GroupActivityMetadata(title: "Sintel"),
      media: nil)
    world.ask(.activate(Activation(activity)), 2, as: natives[0])
    for native in natives {
      let offers = (world.natives[native] ?? []).compactMap { message -> SessionID? in
        if case .offer(let offer) = message { offer.session } else { nil }
      }
      world.ask(.join(try #require(offers.last), handoffFrom: nil), 3, as: native)
    }
    world.ask(.setReadyToStart(nil, true), 4, as: natives[1])
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice < {"Set":{"ready":{"username":"otto","isReady":true}}}
      """#
    ).play(on: &world)
  }
}
