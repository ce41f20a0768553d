import Coordination
import GroupSessions
import LoopTesting
import Naming
import Testing
import Vocabulary
import Wire

@testable import Journals

/// What a journal says of its size.
@Suite struct JournalSizeTests {
  private static func greeting(_ number: Int) -> Append {
    let name = String(repeating: "n", count: 4_000)
    let device = DeviceID("d\(number)")
    let greeting = Greeting(
      identity: Identity(user: "ann", device: device, name: name),
      token: Secret(high: 1, low: UInt64(number)), understandsSessions: true)
    return Append(
      to: .device(device), after: 0,
      [RecordedEvent(at: JournalScene.start, event: .device(.greeted(greeting)))])
  }

  @Test func `it counts what was written, with the log`() throws {
    try JournalScene.run { scene in
      try scene.open()
      let before = try #require(scene.journal?.size)
      for number in 0..<100 { scene.append(Self.greeting(number)) }
      try scene.settle()
      let after = try #require(scene.journal?.size)
      // Each row of 4 KB is on a page of the file and on one of the log.
      #expect(after - before > 800_000 && after - before < 1_600_000, "\(after - before)")
    }
  }

  @Test func `it tells of its size after each turn, and later when nothing is written`() throws {
    try JournalScene.run { scene in
      try scene.open()
      scene.append(Self.greeting(1))
      try scene.settle()
      let before = scene.measures
      scene.journal?.forget(.device("d1"))
      try scene.test.run { scene.measures > before }
      let idle = scene.measures
      scene.journal?.measure(after: .milliseconds(1))
      try scene.test.run { scene.measures > idle }
    }
  }

  @Test func `what was erased is room`() throws {
    try JournalScene.run { scene in
      try scene.open()
      for number in 0..<100 { scene.append(Self.greeting(number)) }
      try scene.close()
      let full = try scene.read().access.size
      try scene.open()
      for number in 0..<100 { scene.journal?.forget(.device(DeviceID("d\(number)"))) }
      scene.append(Self.greeting(100))
      try scene.close()
      #expect(try scene.read().access.size < full - 300_000)
    }
  }
}
