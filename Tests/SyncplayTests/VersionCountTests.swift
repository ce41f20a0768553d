import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// Who runs a server learns which versions their people have.
@Suite struct VersionCountTests {
  private func world(countingAfter first: Duration?) throws -> SyncplayWorld {
    var options = SyncplayOptions(salt: "testsalt12")
    options.firstCount = first
    var world = SyncplayWorld(options)
    try world.restart(after: .zero)
    return world
  }

  private let evening =
    #"""
    alice connects
    alice > \#(LatecomerTests.hello("alice"))
    alice < {"Hello":{}}
    bob connects
    bob > {"Hello":{"username":"bob","room":{"name":"elsewhere"},"version":"1.2.255","realversion":"1.6.9"}}
    bob < {"Hello":{}}
    carl connects
    """#

  @Test func `versions of those who said hello are counted, first soon and then hourly`() throws {
    var world = try world(countingAfter: .seconds(25))
    try SyncplayScript(evening).play(on: &world)
    world.wait(24)
    #expect(world.counts == [])
    world.wait(1)
    #expect(world.counts == [["1.7.7", "1.6.9"]])
    world.leave("alice")
    world.wait(3_599)
    #expect(world.counts.count == 1)
    world.wait(1)
    #expect(world.counts == [["1.7.7", "1.6.9"], ["1.6.9"]])
    world.leave("bob")
    world.wait(8_000)
    #expect(world.counts.count == 2)
  }

  @Test func `nobody is counted where nobody asked for it`() throws {
    var world = try world(countingAfter: nil)
    try SyncplayScript(evening).play(on: &world)
    world.wait(8_000)
    #expect(world.counts == [])
  }
}
