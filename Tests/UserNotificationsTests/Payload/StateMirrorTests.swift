import Testing
import UserNotifications
import Vocabulary

@Suite struct StateMirrorTests {
  private func delta(
    _ base: Int64, _ version: Int64, _ changes: [String: PayloadValue] = ["x": 1]
  ) throws -> StateDelta {
    try #require(StateDelta(from: base, to: version, changes: changes))
  }

  @Test func `a difference travels in a silent notification`() throws {
    let delta = try delta(3, 7, ["title": "Sintel", "host": .null, "items": [1, 2]])
    var payload = NotificationPayload.silent(["t": "DATA_OBJECT_UPDATED"])
    delta.write(to: &payload)
    #expect(payload.isSilent)
    #expect(StateDelta(NotificationPayload(payload.fields)) == delta)
  }

  // Proves: K18
  @Test(
    arguments: [
      .null, 1, [:], ["from": 1, "to": 2], ["from": "1", "to": 2, "set": [:]],
      ["from": 2, "to": 2, "set": [:]], ["from": 3, "to": 2, "set": [:]],
      ["from": 1, "to": 1.5, "set": [:]], ["from": 1, "to": 2, "set": []],
    ] as [PayloadValue])
  func `what is no difference is none`(field: PayloadValue) {
    #expect(StateDelta(.silent(["delta": field])) == nil)
  }

  // Proves: K7
  @Test func `differences keep up what was fetched`() throws {
    var mirror = StateMirror()
    #expect(mirror.needsFetch)
    mirror.replace(with: ["title": "Sintel", "rate": 1], version: 5)
    #expect(!mirror.needsFetch)
    #expect(mirror.apply(try delta(5, 8, ["rate": 1.5, "title": .null])) == .applied)
    #expect(mirror.fields == ["rate": 1.5])
    #expect(mirror.version == 8)
    #expect(mirror.apply(try delta(5, 8, ["rate": 2])) == .alreadyKnown)
    #expect(mirror.fields == ["rate": 1.5])
    #expect(!mirror.needsFetch)
  }

  // Proves: K7
  @Test func `after a gap the object is fetched, again if it was older than the news`() throws {
    var mirror = StateMirror()
    mirror.replace(with: ["x": 0], version: 1)
    #expect(mirror.apply(try delta(2, 3)) == .gap)
    #expect(mirror.apply(try delta(3, 4)) == .gap)
    #expect(mirror.needsFetch)
    // Fetched before the second change.
    mirror.replace(with: ["x": 3], version: 3)
    #expect(mirror.needsFetch)
    mirror.replace(with: ["x": 4], version: 4)
    #expect(!mirror.needsFetch)
    mirror.replace(with: ["x": 3], version: 3)
    #expect(mirror.fields == ["x": 4])
  }

  @Test func `news before the first fetch show that it came too early`() throws {
    var mirror = StateMirror()
    #expect(mirror.apply(try delta(4, 5)) == .gap)
    mirror.replace(with: [:], version: 4)
    #expect(mirror.needsFetch)
    #expect(mirror.apply(try delta(4, 5)) == .applied)
    #expect(!mirror.needsFetch)
  }

  /// All worlds of four changes, each heard once, twice or never, in any order, with fetches of any
  /// version between.
  // Proves: K7
  @Test func `whatever is lost, a device that fetches when it is told to has the last it heard of`()
    throws
  {
    let versions: [[String: PayloadValue]] = (0...4).map { version in
      var fields: [String: PayloadValue] = ["v": .integer(Int64(version))]
      if version % 2 == 0 { fields["even"] = true }
      return fields
    }
    let deltas = try (1...4).map { version in
      let even: PayloadValue = version % 2 == 0 ? true : .null
      let changes: [String: PayloadValue] = ["v": .integer(Int64(version)), "even": even]
      return try delta(Int64(version - 1), Int64(version), changes)
    }
    var worlds = 0
    // Each step hears one of the four, or fetches one of five versions: 9 choices, four times.
    for world in 0..<(9 * 9 * 9 * 9) {
      var mirror = StateMirror()
      mirror.replace(with: versions[0], version: 0)
      var (rest, heard) = (world, 0)
      for _ in 0..<4 {
        let choice = rest % 9
        rest /= 9
        if choice < 4 {
          let had = mirror.version
          let effect = mirror.apply(deltas[choice])
          heard = max(heard, choice + 1)
          #expect((effect == .applied) == (had == Int64(choice)))
        } else {
          mirror.replace(with: versions[choice - 4], version: Int64(choice - 4))
          heard = max(heard, choice - 4)
        }
        let version = try #require(mirror.version)
        #expect(mirror.fields == versions[Int(version)])
        #expect(mirror.needsFetch == (version < heard))
      }
      mirror.replace(with: versions[heard], version: Int64(heard))
      #expect(!mirror.needsFetch && mirror.fields == versions[heard])
      worlds += 1
    }
    #expect(worlds == 6_561)
  }
}
