import GroupSessions
import Playback
import Vocabulary
import Wire

@testable import Syncplay

/// People of both kinds, who do whatever chance has them do.
struct RandomEvening {
  private static let rooms = ["one", "two", "+lobby:EB6501C30B97"]
  var world: SyncplayWorld
  private(set) var present: [String] = []
  private var chance: SplitMix64
  private var natives: [PeerID] = []
  private var lastRequest: RequestID = 100
  private var arrivals = 0

  init(seed: UInt64) {
    chance = SplitMix64(seed: seed)
    var options = SyncplayOptions(salt: "testsalt12")
    options.isolatesRooms = seed % 3 == 0
    world = SyncplayWorld(options)
    world.journalDelay = seed % 2 == 0 ? .zero : .milliseconds(4)
  }

  func userlist(of name: String) -> Userlist {
    var list = Userlist()
    for line in world.heard(by: name) { list.take(line) }
    return list
  }

  private mutating func any<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &chance)
  }

  mutating func goOn() {
    switch chance.next() % 12 {
    case 0...1: arrive()
    case 2: leave()
    case 3...5: act()
    case 6: arriveByOtherMeans()
    case 7...9: actByOtherMeans()
    default: world.wait(Double(chance.next() % 2_500) / 1_000)
    }
  }

  private mutating func arrive() {
    guard present.count < 5, let room = any(Self.rooms) else { return }
    arrivals += 1
    let name = "p\(arrivals)"
    present.append(name)
    world.connect(name)
    world.say(LatecomerTests.hello(any(["ann", "bob", "cleo"]) ?? name, room), as: name)
    world.say(#"{"List":null}"#, as: name)
  }

  private mutating func leave() {
    guard let name = any(present) else { return }
    present.removeAll { $0 == name }
    world.leave(name)
  }

  private mutating func act() {
    guard let name = any(present), let room = any(Self.rooms) else { return }
    switch chance.next() % 5 {
    case 0:
      world.say(#"{"Set":{"room":{"name":"\#(room)"}}}"#, as: name)
      world.say(#"{"List":null}"#, as: name)
    case 1, 2:
      let isReady = chance.next() % 2 == 0
      world.say(
        #"{"Set":{"ready":{"isReady":\#(isReady),"manuallyInitiated":true}}}"#, as: name)
    case 3:
      world.say(
        #"{"Set":{"controllerAuth":{"room":"\#(room)","password":"AB-123-456"}}}"#, as: name)
    default:
      let file = any(["a", "b", "c"]) ?? ""
      world.say(#"{"Set":{"file":{"name":"\#(file)","duration":900,"size":1}}}"#, as: name)
    }
  }

  private mutating func arriveByOtherMeans() {
    guard natives.count < 4, let room = any(Self.rooms) else { return }
    arrivals += 1
    natives.append(world.connectNative("n\(arrivals)", joins: GroupID(room)))
  }

  private mutating func actByOtherMeans() {
    guard let index = natives.indices.randomElement(using: &chance), let room = any(Self.rooms)
    else {
      return
    }
    let id = natives[index]
    let live = world.lobby.roster.rooms[room]?.live
    let item = world.lobby.roster.rooms[room]?.item
    let request: Request? =
      switch chance.next() % 8 {
      case 0: .leaveGroup
      case 1: .joinGroup(GroupID(room))
      case 2...4: live.map { .join($0, handoffFrom: nil) }
      case 5: .setReadyToStart(nil, true)
      case 6: item.map { .playback(nil, .transition(to: $0)) }
      default: .leave(nil)
      }
    lastRequest += 1
    if let request { world.ask(request, lastRequest, as: id) }
  }
}
