import GroupSessions
import Naming
import Signatures
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// Random stories of people who come, go, are removed and guess, where access is by keys.
@Suite struct KeyedStoryTests {
  private static let people: [UserID] = ["ann", "ben", "cleo", "dan"]

  /// A story with everything that has to hold after each step.
  private struct Story {
    var door: KeyedDoor
    var random: SplitMix64
    /// The credential that each name was claimed with, as far as anybody knows.
    var owners: [UserID: CredentialHash] = [:]

    init(seed: UInt64) throws {
      var limits = Limits()
      limits.groupRetention = .seconds(60)
      door = try KeyedDoor(limits: limits)
      random = SplitMix64(seed: seed)
      door.administer()
      door.greet("ann")
      door.stage.post(.joinGroup("g", key: KeyedDoor.keys.founding.text), from: "ann")
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int(random.next() % UInt64(elements.count))]
    }

    mutating func step() {
      let user = pick(KeyedStoryTests.people)
      // Each name has its owner's device, and somebody else's who would like to be them.
      let device = DeviceID(pick(["", "not "]) + user.text)
      let generation = door.group?.entry?.generation ?? 1
      let keys: [String?] = [
        nil, KeyedDoor.key(generation), KeyedDoor.key(generation + 1),
        KeyedDoor.key(max(generation - 1, 1)), KeyedDoor.keys.founding.text,
      ]
      switch random.next() % 12 {
      case 0, 1: door.greet(device, as: user)
      case 2, 3, 4: door.stage.post(.joinGroup("g", key: pick(keys)), from: device)
      case 5: door.stage.post(.leaveGroup, from: device)
      case 6: door.stage.disconnect(device)
      case 7: door.stage.post(.removeUser(pick(KeyedStoryTests.people)), from: device)
      case 8: door.stage.post(pick([.changeKey(), .closeGroup()]), from: device)
      case 9: door.stage.advance(.seconds(Int64(random.next() % 40)))
      case 10 where random.next() % 4 == 0: door.stage.crash()
      case 11: door.stage.journal.failures = Int(random.next() % 2)
      default: break
      }
    }

    mutating func check(_ seed: UInt64) {
      let group = door.group
      for member in group.map({ Array($0.members.values) }) ?? [] {
        #expect(group?.entry?.removed.contains(member.user) == false, "seed \(seed)")
        #expect(group?.entry?.admitted.contains(member.user) == true, "seed \(seed)")
        #expect(!door.kept(member.user).isEmpty, "seed \(seed): \(member.user) is nobody's")
      }
      for user in KeyedStoryTests.people {
        guard case .claimed(let hash)? = door.kept(user).first else { continue }
        #expect(owners[user] ?? hash == hash, "seed \(seed): \(user) changed hands")
        owners[user] = hash
      }
      // Whoever is connected under a name that is claimed, and proved, is its owner.
      let front = door.stage.coordinator.front
      for device in front.devices.keys.compactMap({ front.devices[$0] }) {
        guard let peer = device.peer, front.gate.isProved(peer),
          let owner = owners[device.identity.user]
        else { continue }
        #expect(front.gate.claimant(of: peer) == owner, "seed \(seed)")
      }
    }

    /// The journal alone makes the same group.
    func checkReplay(_ seed: UInt64) {
      guard let records = door.stage.journal.live[.group("g")], let group = door.group else {
        return
      }
      #expect(Group(replaying: records, id: "g") == group, "seed \(seed)")
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `nobody is in a group who was removed, and no name changes hands`(seed: UInt64) throws {
    var story = try Story(seed: seed)
    for number in 0..<250 {
      story.step()
      story.check(seed)
      if number % 10 == 0 { story.checkReplay(seed) }
    }
    #expect(!story.owners.isEmpty, "seed \(seed)")
  }
}
