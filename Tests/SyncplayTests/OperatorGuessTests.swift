import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// Guesses of operators' passwords are limited by address.
@Suite struct OperatorGuessTests {
  private static let password = "QZ-000-999"
  private static let ownPassword = "AB-123-456"
  private static let cinema = name("cinema", password)
  private static let own = name("own", ownPassword)

  private static func name(_ base: String, _ password: String) -> String {
    ManagedRoom(base: base, password: password, salt: "testsalt12").name
  }

  private func guess(_ password: String, _ room: String) -> String {
    #"{"Set":{"controllerAuth":{"room":"\#(room)","password":"\#(password)"}}}"#
  }

  private func move(to room: String) -> String { #"{"Set":{"room":{"name":"\#(room)"}}}"# }

  private func isOperator(_ name: String, in world: SyncplayWorld) -> Bool {
    world.clients[name].flatMap { world.lobby.roster.peers[$0.id]?.user?.isOperator } == true
  }

  @Test func `a right password of one's own room pays for no guess at another's`() {
    var world = SyncplayWorld()
    world.connect("eve")
    world.say(LatecomerTests.hello("eve", Self.cinema), as: "eve")
    for number in 0..<SyncplayLimits.guesses {
      world.say(guess("AB-000-00\(number)", Self.cinema), as: "eve")
      world.say(move(to: Self.own), as: "eve")
      world.say(guess(Self.ownPassword, Self.own), as: "eve")
      world.say(move(to: Self.cinema), as: "eve")
    }
    world.say(guess(Self.password, Self.cinema), as: "eve")
    #expect(!isOperator("eve", in: world))
    world.wait(11)
    // A right one costs nothing, so she may come back any number of times.
    for _ in 1...3 {
      world.say(move(to: Self.own), as: "eve")
      world.say(move(to: Self.cinema), as: "eve")
      world.say(guess(Self.password, Self.cinema), as: "eve")
      #expect(isOperator("eve", in: world))
    }
  }

  @Test func `a right password of the server pays for no guess at an operators' one`() {
    var world = SyncplayWorld(SyncplayOptions(salt: "testsalt12", password: "sesame"))
    let hello =
      #"{"Hello":{"username":"eve","password":"\#(SyncplayHash.md5("sesame"))","#
      + #""room":{"name":"\#(Self.cinema)"},"version":"1.7.7","features":{}}}"#
    for name in ["eve", "eve again"] {
      world.connect(name)
      world.say(hello, as: name)
      #expect(!world.isOver(name))
      for number in 0..<SyncplayLimits.guesses - 1 {
        world.say(guess("AB-000-00\(number)", Self.cinema), as: name)
      }
    }
    world.say(guess(Self.password, Self.cinema), as: "eve again")
    #expect(!isOperator("eve again", in: world))
  }

  @Test func `making a managed room is a guess, because its name tells the password's hash`() {
    var world = SyncplayWorld()
    world.connect("eve")
    world.say(LatecomerTests.hello("eve"), as: "eve")
    for number in 0..<9 { world.say(guess("AB-000-00\(number)", "cinema"), as: "eve") }
    let made = world.heard(by: "eve").count { $0["Set"]?["newControlledRoom"] != nil }
    #expect(made == SyncplayLimits.guesses)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
    ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
  ])
  func `addresses of one household guess together`(first: String, second: String, isOne: Bool) {
    var world = SyncplayWorld()
    for (name, address) in [("eve", first), ("eva", second)] {
      world.connect(name, from: address)
      world.say(LatecomerTests.hello(name, Self.cinema), as: name)
    }
    for number in 0..<SyncplayLimits.guesses {
      world.say(guess("AB-000-00\(number)", Self.cinema), as: "eve")
    }
    world.say(guess(Self.password, Self.cinema), as: "eva")
    #expect(isOperator("eva", in: world) == !isOne)
  }
}
