import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// How clients of Syncplay's ask for encryption (group-watch protocol: `startTLS`).
@Suite struct SyncplayEncryptionTests {
  private static let inquiry = #"{"TLS":{"startTLS":"send"}}"#
  private static let hello =
    #"{"Hello":{"username":"Ann","room":{"name":"r"},"version":"1.7.3","realversion":"1.7.3"}}"#

  /// How often Ann heard a line like this one.
  private func count(_ line: String, in world: SyncplayWorld) throws -> Int {
    let pattern = try #require(JSONTree(ifObject: line))
    return world.heard(by: "Ann").count { $0.matches(pattern, slack: 0) }
  }

  @Test(arguments: [false, true])
  func `a client that asks is told whether it may begin`(isOffered: Bool) throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.offersTLS = isOffered
    var world = SyncplayWorld(options)
    world.connect("Ann")
    world.say(Self.inquiry, as: "Ann")
    #expect(try count(#"{"TLS":{"startTLS":"\#(isOffered)"}}"#, in: world) == 1)
    #expect(world.secured.count == (isOffered ? 1 : 0))
    world.say(Self.hello, as: "Ann")
    #expect(!world.isOver("Ann"))
  }

  @Test func `encryption begins once, and before the Hello`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.offersTLS = true
    var world = SyncplayWorld(options)
    world.connect("Ann")
    for _ in 1...2 { world.say(Self.inquiry, as: "Ann") }
    #expect(try count(#"{"TLS":{"startTLS":"false"}}"#, in: world) == 1)
    #expect(world.secured.count == 1)
    world.connect("Ben")
    world.say(Self.hello.replacing("Ann", with: "Ben"), as: "Ben")
    world.say(Self.inquiry, as: "Ben")
    #expect(world.secured.count == 1)
  }

  @Test func `who has to encrypt is told so instead of being let in`() {
    var options = SyncplayOptions(salt: "testsalt12")
    options.offersTLS = true
    var world = SyncplayWorld(options)
    world.connect("Ann", mustEncrypt: true)
    world.say(Self.hello, as: "Ann")
    #expect(world.isOver("Ann"))
    // Whoever reads `startTLS` in an Error tries again without encryption.
    #expect(!SyncplayFault.encryptionRequired.message.contains("startTLS"))
    world.connect("Ben", mustEncrypt: true)
    world.say(Self.inquiry, as: "Ben")
    world.say(Self.hello.replacing("Ann", with: "Ben"), as: "Ben")
    #expect(!world.isOver("Ben"))
  }
}
