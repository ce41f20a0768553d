import Coordination
import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Journals

/// Reads more streams than one thread takes at once.
@Suite struct ConcurrentReadingTests {
  private static let count = 1200

  /// Writes groups and devices alternately, each with its number.
  private func write(on scene: JournalScene) throws {
    try scene.open()
    for number in 0..<Self.count {
      let aggregate: AggregateID
      let event: AggregateEvent
      if number.isMultiple(of: 2) {
        aggregate = .group(GroupID("g-\(number)"))
        event = .group(.opened(by: UserID("u-\(number)")))
      } else {
        let device = DeviceID("d-\(number)")
        aggregate = .device(device)
        event = .device(
          .greeted(
            Greeting(
              identity: Identity(user: "ann", device: device, name: "Ann"),
              token: Secret(high: UInt64(number), low: 1), understandsSessions: true)))
      }
      scene.append(
        Append(to: aggregate, after: 0, [RecordedEvent(at: JournalScene.start, event: event)]))
      if case .device(let device) = aggregate { answer(device, number, on: scene) }
    }
    try scene.close()
  }

  private func answer(_ device: DeviceID, _ number: Int, on scene: JournalScene) {
    let answer = RecordedAnswer(
      device: device, request: Int64(number), .answered(.done(seq: number)), number: 1)
    scene.append(Append(to: .device(device), after: 1, [], answer: answer))
  }

  private var groups: [AggregateID] {
    stride(from: 0, to: Self.count, by: 2).map { .group(GroupID("g-\($0)")) }
  }

  private var devices: [AggregateID] {
    stride(from: 1, to: Self.count, by: 2).map { .device(DeviceID("d-\($0)")) }
  }

  @Test func `all come once and in order, each with what is its own`() throws {
    try JournalScene.run { scene in
      try write(on: scene)
      let file = try scene.read()
      #expect(file.contents.streams.map(\.aggregate) == groups + devices)
      #expect(file.contents.notices.isEmpty)
      for stream in file.contents.streams {
        guard case .device(let device) = stream.aggregate else { continue }
        let number = try #require(Int(device.text.dropFirst(2)))
        let answer = RecordedAnswer(
          device: device, request: Int64(number), .answered(.done(seq: number)), number: 1)
        #expect(stream.answers == AnswerMemory([answer]))
      }
      #expect(Set(file.access.live.map(\.id)).count == Self.count)
    }
  }

  @Test(arguments: [1, 600, 1200])
  func `what one thread finds damaged is damage, wherever it lies`(stream: Int) throws {
    try JournalScene.run { scene in
      try write(on: scene)
      try scene.execute("UPDATE event SET at = at + 1 WHERE stream = \(stream)")
      let contents = try scene.read().contents
      let all = groups + devices
      let damaged = stream.isMultiple(of: 2) ? "d-\(stream - 1)" : "g-\(stream - 1)"
      #expect(contents.streams.map(\.aggregate) == all.filter { $0.name != damaged })
      #expect(!contents.notices.isEmpty)
    }
  }

  @Test(arguments: [1, 600, 1200])
  func `what one thread cannot understand is set aside, and the rest is there`(stream: Int) throws {
    try JournalScene.run { scene in
      try write(on: scene)
      let sum = RowSum.record(
        Int64(stream), 1, at: JournalScene.start.microseconds, format: 1, "{}")
      try scene.execute("UPDATE event SET body = '{}', sum = \(sum) WHERE stream = \(stream)")
      let contents = try scene.read().contents
      #expect(contents.streams.count == Self.count - 1)
      #expect(contents.notices.count == 1)
    }
  }
}
