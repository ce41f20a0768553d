import Coordination
import GroupSessions
import Naming
import Signatures
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// Rooms whose key people type as the server's password, and guessing it.
@Suite struct KeyedRoomsTests {
  private static let keys: AccessKeys = {
    var numbers = SplitMix64(seed: 3)
    return AccessKeys(InvitationKey(using: &numbers))
  }()

  private static func password(of group: GroupID) -> String {
    SyncplayHash.md5(keys.key(of: group, generation: 1).text)
  }

  private func hello(_ name: String, _ room: String, _ password: String?) -> String {
    let password = password.map { #""password":"\#($0)","# } ?? ""
    return #"{"Hello":{"username":"\#(name)",\#(password)"room":{"name":"\#(room)"},"#
      + #""version":"1.2.255","realversion":"1.7.0"}}"#
  }

  /// Somebody opens a group over the native port.
  private func found(_ group: GroupID, in world: inout SyncplayWorld) -> PeerID {
    world.connectNative(
      "founder of \(group)", joins: group, with: Secret(high: 1, low: nextCredential(group)).text,
      key: Self.keys.founding.text)
  }

  private func nextCredential(_ group: GroupID) -> UInt64 {
    group.text.utf8.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The people that a member was told of, without the founder and the room's keeper.
  private func guests(toldTo member: PeerID, in world: SyncplayWorld) -> [String] {
    var group: Group?
    for message in world.natives[member] ?? [] {
      switch message {
      case .group(let state): group = state
      case .groupEvent(_, _, _, let event): group?.evolve(event)
      default: break
      }
    }
    return group?.people.map(\.name).filter { !$0.hasPrefix("founder") } ?? ["no group"]
  }

  @Test func `who types a group's key as the password comes into its room`() {
    var world = SyncplayWorld.keyed(Self.keys)
    let ann = found("friday", in: &world)
    world.connect("Ben")
    world.say(hello("Ben", "friday", Self.password(of: "friday")), as: "Ben")
    world.wait(1)
    #expect(!world.isOver("Ben"))
    #expect(guests(toldTo: ann, in: world) == ["Ben"])
  }

  @Test(arguments: [
    nil, "", "founding", "another group's", "no hash", "the key itself",
  ])
  func `who types something else, or nothing, stays out`(what: String?) {
    var world = SyncplayWorld.keyed(Self.keys)
    let ann = found("friday", in: &world)
    let password: String? =
      switch what {
      case "founding": SyncplayHash.md5(Self.keys.founding.text)
      case "another group's": Self.password(of: "monday")
      case "the key itself": Self.keys.key(of: "friday", generation: 1).text
      default: what
      }
    world.connect("Eve")
    world.say(hello("Eve", "friday", password), as: "Eve")
    world.wait(1)
    #expect(world.isOver("Eve") && guests(toldTo: ann, in: world) == [])
  }

  @Test func `a second Hello does not come in by the first one's key`() {
    var world = SyncplayWorld.keyed(Self.keys)
    _ = (found("friday", in: &world), found("monday", in: &world))
    world.connect("Eve")
    let hellos = [
      hello("Eve", "friday", Self.password(of: "friday")), hello("Eve", "monday", "a guess"),
    ]
    world.say(
      "{" + hellos.map { $0.dropFirst().dropLast() }.joined(separator: ",") + "}", as: "Eve")
    world.wait(1)
    #expect(world.isOver("Eve"))
    #expect(world.heard(by: "Eve").count == 1, "only why it is hung up on")
  }

  @Test func `what Syncplay's clients make of a key opens no group over the native port`() {
    var world = SyncplayWorld.keyed(Self.keys)
    let ann = found("friday", in: &world)
    for (name, key) in [
      ("Eve", Self.password(of: "friday")), ("Mallory", SyncplayHash.md5(Self.keys.founding.text)),
    ] {
      let guest = world.connectNative(
        name, joins: "friday", with: Secret(high: 2, low: nextCredential(GroupID(name))).text,
        key: key)
      let isRefused = world.natives[guest]?.contains {
        if case .error(_, let error) = $0 { error.code == .keyRefused } else { false }
      }
      #expect(isRefused == true, "\(name)")
    }
    #expect(guests(toldTo: ann, in: world) == [])
  }

  @Test func `a room that nobody founded is opened by no key`() {
    var world = SyncplayWorld.keyed(Self.keys)
    let ann = found("friday", in: &world)
    world.connect("Eve")
    world.say(hello("Eve", "monday", Self.password(of: "monday")), as: "Eve")
    world.wait(1)
    #expect(world.isOver("Eve") && guests(toldTo: ann, in: world) == [])
    // It can still be founded.
    let cleo = found("monday", in: &world)
    #expect(guests(toldTo: cleo, in: world) == [])
  }

  /// Ben comes into a room by its key.
  private func enter(_ group: GroupID, in world: inout SyncplayWorld) {
    world.connect("Ben")
    world.say(hello("Ben", group.text, Self.password(of: group)), as: "Ben")
    world.wait(1)
    world.skip(world.heard(by: "Ben").count, heardBy: "Ben")
  }

  @Test func `a key opens its own room alone, and whoever asks for another stays`() throws {
    var world = SyncplayWorld.keyed(Self.keys)
    let ann = found("friday", in: &world)
    let cleo = found("monday", in: &world)
    enter("friday", in: &world)
    try SyncplayScript(
      """
      Ben > {"Set":{"room":{"name":"monday"}}}
      Ben < {"Set":{"room":{"name":"friday"}}}
      Ben < {"Set":{"user":{"Ben":{"room":{"name":"friday"}}}}}
      Ben < {"Set":{"playlistChange":{"files":[]}}}
      Ben < {"Chat":{"username":"Matinee"}}
      wait 2
      Ben < {"State":{}}
      """
    ).play(on: &world)
    #expect(!world.isOver("Ben") && guests(toldTo: cleo, in: world) == [])
    #expect(guests(toldTo: ann, in: world) == ["Ben"])
  }

  @Test func `no managed room is made that nobody could enter`() throws {
    var world = SyncplayWorld.keyed(Self.keys)
    let ann = found("friday", in: &world)
    enter("friday", in: &world)
    try SyncplayScript(
      """
      Ben > {"Set":{"controllerAuth":{"room":"friday","password":"AB-123-456"}}}
      Ben < {"Set":{"controllerAuth":{"user":"Ben","room":"friday","success":false}}}
      Ben < {"Chat":{"username":"Matinee"}}
      Ben ! {"Set":{"newControlledRoom":{}}}
      """
    ).play(on: &world)
    #expect(!world.isOver("Ben") && guests(toldTo: ann, in: world) == ["Ben"])
  }

  @Test func `guesses of the server's password are braked by address, and a right one is not`() {
    var options = SyncplayOptions(salt: "testsalt12", password: "sesame")
    options.isolatesRooms = true
    var world = SyncplayWorld(options)
    for number in 1...20 {
      world.connect("Eve \(number)")
      world.say(hello("Eve", "lobby", SyncplayHash.md5("\(number)")), as: "Eve \(number)")
      let heard = world.heard(by: "Eve \(number)").map { "\($0)" }.joined()
      #expect(heard.contains(number <= SyncplayLimits.guesses ? "Wrong password" : "Too many"))
    }
    world.connect("Ann")
    world.say(hello("Ann", "lobby", SyncplayHash.md5("sesame")), as: "Ann")
    #expect(world.isOver("Ann"), "her address has guessed too much")
    world.wait(15)
    world.connect("Ann")
    world.say(hello("Ann", "lobby", SyncplayHash.md5("sesame")), as: "Ann")
    #expect(!world.isOver("Ann"))
  }
}
