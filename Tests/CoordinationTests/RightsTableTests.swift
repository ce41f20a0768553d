import GroupSessions
import RightsTesting
import Signatures
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// The article's table of rights is what the server does: every request by everybody.
@Suite struct RightsTableTests {
  @Test func `the table says of every request who may make it`() throws {
    let written = try RightsTable.written()
    let played = try RightsTable.played(withKey: KeyedDoor.administratorKey) {
      CoordinatorStage(try KeyedDoor())
    }
    for (name, row) in played.cells { #expect(written.cells[name] == row, "\(name)") }
    #expect(Set(written.cells.keys) == Set(played.cells.keys))
    #expect(Set(played.cells.keys.map { $0.split(separator: " ")[0] }) == Self.allRequests)
  }

  private static var allRequests: Set<Substring> {
    let others: Set = ["hello", "ping", "report", "message"]
    return Set(ClientMessage.types.filter { !others.contains($0) }.map { $0[...] })
  }

  @Test(arguments: ControlPolicy.allCases)
  func `who founded another group may do nothing in this one`(control: ControlPolicy) throws {
    let outside = try RightsTable.allowedOutside(
      under: control, on: CoordinatorStage(try KeyedDoor()))
    #expect(outside.requests == [])
    #expect(outside.messages == 0)
  }
}

/// The coordinator alone, as a stage of the table of rights.
private struct CoordinatorStage: RightsStage {
  private var door: KeyedDoor

  init(_ door: KeyedDoor) { self.door = door }

  var foundingKey: String { KeyedDoor.keys.founding.text }

  mutating func greet(_ device: DeviceID) { door.greet(device) }

  mutating func administer(as device: DeviceID) { door.administer(as: device) }

  mutating func ask(_ device: DeviceID, _ request: Request) throws -> Result<Answer, ProtocolError>
  {
    let id = door.stage.post(request, from: device)
    return door.stage[device].answers[id]?.first ?? .success(.done(seq: nil))
  }

  func key(of group: GroupID, toldTo device: DeviceID) throws -> String {
    for message in door.stage[device].received.reversed() {
      if case .groupKey(group, let key) = message { return key }
    }
    throw NoScene("\(device) knows no key of \(group)")
  }

  func receivedCount(of device: DeviceID) -> Int { door.stage[device].received.count }
}
