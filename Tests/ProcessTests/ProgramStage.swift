import EventLoops
import LoopTesting
import RightsTesting
import Testing
import Vocabulary
import Wire

/// A running server, as a stage of the table of rights.
final class ProgramStage: RightsStage {
  let foundingKey: String
  let administratorKey = PushTests.key
  private let port: UInt16
  private let test: TestLoop
  private var peers: [DeviceID: MessagePeer] = [:]
  private var random = SplitMix64(seed: 17)

  init(_ server: KeyedServer, on test: TestLoop) throws {
    port = server.port
    self.test = test
    let key = try #require(server.foundingLink.split(separator: "#").last)
    foundingKey = String(key.prefix { $0.isLetter || $0.isNumber })
  }

  /// Hangs up, so that a scene's people cost nothing in the next ones.
  func clear() {
    for peer in peers.values { peer.hangUp() }
    peers = [:]
  }

  func greet(_ device: DeviceID) throws {
    let credential = Secret(using: &random).text
    try connect(device) { $0.credential = credential }
  }

  func administer(as device: DeviceID) throws {
    try connect(device) { $0.administratorKey = administratorKey }
  }

  private func connect(_ device: DeviceID, with proof: (inout Hello) -> Void) throws {
    let peer = try MessagePeer(port: port, on: test)
    var hello = Hello(
      user: UserID(device.text), device: device, name: device.text, features: [.sessions])
    proof(&hello)
    try peer.say(.hello(hello))
    peers[device] = peer
  }

  func ask(_ device: DeviceID, _ request: Request) throws -> Result<Answer, ProtocolError> {
    let peer = try peer(device)
    return try peer.ask(request, on: test)
  }

  func key(of group: GroupID, toldTo device: DeviceID) throws -> String {
    let peer = try peer(device)
    try test.run { peer.keys[group] != nil || peer.hasEnded }
    return try #require(peer.keys[group])
  }

  func receivedCount(of device: DeviceID) -> Int { peers[device]?.receivedCount ?? 0 }

  private func peer(_ device: DeviceID) throws -> MessagePeer {
    guard let peer = peers[device] else { throw NoScene("\(device) is not here") }
    return peer
  }
}

@available(*, unavailable)
extension ProgramStage: Sendable {}
