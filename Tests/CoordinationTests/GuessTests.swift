import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// Who guesses keys, credentials and codes, and whom that keeps out.
@Suite struct GuessTests {
  @Test func `who guesses is braked by address, and who is right comes in all the same`() throws {
    var door = try KeyedDoor()
    try door.found()
    let (home, attic) = (KeyedDoor.address(1), KeyedDoor.address(2))
    for number in 1...8 {
      let peer = door.greet(DeviceID("eve\(number)"), as: "ann", from: home)
      let code: ErrorCode = number <= 5 ? .credentialRefused : .tooManyGuesses
      #expect(door.end(of: peer)?.code == code, "\(number)")
    }
    let credential = door.credential(of: "ann")
    #expect(door.refusal("phone", as: "ann", with: credential, from: home) == nil)
    // Keys count, too, and codes are not even looked at.
    door.greet("ben", from: home)
    #expect(
      try door.stage.refusal("ben", .joinGroup("g", key: KeyedDoor.key(7))).code == .tooManyGuesses)
    try door.stage.ask("ben", .joinGroup("g", key: KeyedDoor.key()))
    let code = try door.code(.pair(), from: "ann")
    #expect(
      door.refusal("pad", as: "ann", code: code, isSecured: true, from: home) == .tooManyGuesses)
    #expect(
      door.refusal("pad", as: "ann", code: code, isSecured: true, from: attic) == .pairingPending)
    door.stage.advance(.seconds(13))
    #expect(
      door.refusal("eve", as: "ann", from: home) == .credentialRefused,
      "there is another guess after a while")
  }

  @Test func `who guesses through a proxy on the server's machine does not lock out its people`()
    throws
  {
    var door = try KeyedDoor()
    try door.found()
    let machine = KeyedDoor.address(0, isLoopback: true)
    for number in 1...6 {
      let code: ErrorCode = number <= 5 ? .credentialRefused : .tooManyGuesses
      #expect(
        door.refusal(DeviceID("eve\(number)"), as: "ann", from: machine.atWeb) == code, "\(number)")
    }
    let peer = door.administer()
    #expect(door.welcome(of: peer) != nil && door.end(of: peer) == nil)
    // A code through the proxy waits, because it may be one more guess.
    let code = try door.code(.pair("ann"), from: "admin")
    #expect(door.refusal("pad", as: "ann", code: code, from: machine.atWeb) == .tooManyGuesses)
    door.greet("pad", as: "ann", code: code, from: machine)
    #expect(door.refusal("pad", as: "ann", code: code, from: machine) == nil)
  }
}
