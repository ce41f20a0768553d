import Foundation
import GroupSessions
import JSON
import Playback
import Testing
import Vocabulary
import Wire

@testable import Participation

/// "Start when all are ready", by the cases that the page for browsers keeps to, too.
@Suite struct ReadyStartTests {
  /// The name of a case, and its steps: what each field says, as compact JSON.
  private struct Story {
    var name = ""
    var steps: [[String: String]] = []
  }

  private func stories() throws -> [Story] {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Browser/Cases/ready-start.json")
    let text = "{\"stories\":\(String(decoding: try Data(contentsOf: path), as: UTF8.self))}"
    var stories: [Story] = []
    var parser = JSONParser(maximumBytes: text.utf8.count)
    try parser.parse(text.utf8.span) { (root) throws(DecodingFlaw) in
      try root.array("stories", maximum: 1_000).forEach { (value) throws(DecodingFlaw) in
        let object = try value.object()
        var story = Story(name: try object.string("case", maximum: 1_000))
        try object.array("steps", maximum: 1_000).forEach { (step) throws(DecodingFlaw) in
          var fields: [String: String] = [:]
          try step.object().forEachField(nameMaximum: 100) { (name, value) throws(DecodingFlaw) in
            fields[name] = try value.rawJSON(maximum: 1_000).text
          }
          story.steps.append(fields)
        }
        stories.append(story)
      }
    }
    return stories
  }

  private func people(_ text: String) throws -> [ParticipantID: Bool] {
    var people: [ParticipantID: Bool] = [:]
    var parser = JSONParser(maximumBytes: text.utf8.count)
    try parser.parse(text.utf8.span) { (object) throws(DecodingFlaw) in
      try object.forEachField(nameMaximum: 100) { (name, value) throws(DecodingFlaw) in
        people[ParticipantID(name)] = try value.bool()
      }
    }
    return people
  }

  private func carryOut(
    _ step: [String: String], at now: Instant, on start: inout ReadyStart
  ) throws -> [ReadyStart.Order] {
    if let meet = step["meet"] { return start.meet(try people(meet), at: now) }
    if step["ask"] != nil { return start.ask(at: now) }
    if step["tick"] != nil { return start.tick(at: now) }
    if step["takeBack"] != nil { return start.takeBack() }
    if step["steer"] != nil {
      start.steer()
    } else {
      let heard = try #require(step["hear"])
      let from = try #require(step["from"]).filter { $0 != "\"" }
      if let line = CountdownLine(JSONText(validated: "{\"countdown\":\(heard)}")) {
        start.hear(line, from: ParticipantID(from))
      }
    }
    return []
  }

  private func text(_ orders: [ReadyStart.Order]) -> String {
    let texts = orders.map { order in
      switch order {
      case .play: "\"play\""
      case .tell(let line):
        // Without the name of the payload's field.
        "{\"tell\":" + line.payload.text.dropFirst("{\"countdown\":".count)
      }
    }
    return "[\(texts.joined(separator: ","))]"
  }

  private func text(_ shown: Client.StartCountdown?) -> String {
    guard let shown else { return "null" }
    let start = shown.starts.map { ",\"at\":\($0.microseconds)" } ?? ""
    return "{\"by\":\"\(shown.by.text)\"\(start)}"
  }

  @Test func `it goes as the cases say`() throws {
    let stories = try stories()
    #expect(stories.count >= 10)
    for story in stories {
      var start = ReadyStart(ParticipantID("ann"))
      for (number, step) in story.steps.enumerated() {
        let place: Comment = "\(story.name), step \(number + 1)"
        let now = Instant(microseconds: try #require(Int64(step["at"] ?? "")))
        let orders = try carryOut(step, at: now, on: &start)
        #expect(text(orders) == step["orders"], place)
        if let shown = step["shown"] { #expect(text(start.shown) == shown, place) }
        let isOwn = start.shown?.by.text == "ann"
        #expect(start.nextDeadline == (isOwn ? start.shown?.starts : nil), place)
      }
    }
  }

  @Test(arguments: [
    (CountdownLine.wanted, #"{"countdown":{}}"#), (.takenBack, #"{"countdown":null}"#),
    (.starts(Instant(microseconds: 7)), #"{"countdown":{"at":7}}"#),
  ])
  func `what is told is a payload like this`(line: CountdownLine, text: String) {
    #expect(line.payload.text == text)
    #expect(CountdownLine(JSONText(validated: text)) == line)
  }

  @Test(arguments: [#"{"chat":"countdown"}"#, #""countdown""#, #"{"countdown":[]}"#, "{}"])
  func `another message is none`(text: String) {
    #expect(CountdownLine(JSONText(validated: text)) == nil)
  }

  // MARK: With a server

  private static let film = GroupActivity(
    type: "watch", payload: JSONText(validated: "{}"),
    metadata: GroupActivityMetadata(title: "Metropolis"),
    media: MediaItem(item: ItemID("film"), url: "https://films.example/metropolis.mp4"))

  private func evening() throws -> ParticipantStage {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name) }
    for member in 0..<2 { stage.ask(.joinGroup(GroupID("room")), by: member, tag: -1) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(Self.film)), by: 0, tag: -2)
    try stage.joinAll()
    return stage
  }

  private func countdowns(of member: Int, _ stage: ParticipantStage) -> [String] {
    stage.members[member].updates.compactMap { update in
      guard case .session(_, .countdown(let shown)) = update.update else { return nil }
      guard let shown else { return "none" }
      return shown.starts == nil ? "waits" : "starts"
    }
  }

  private func isPlaying(_ stage: ParticipantStage) -> Bool {
    let timeline = stage.members[1].participant.session?.playback.timelines[ItemID("film")]
    guard case .playing? = timeline?.phase else { return false }
    return true
  }

  @Test func `everybody sees the countdown, and it starts once`() throws {
    var stage = try evening()
    stage.feed(.countdown(true), to: 0)
    stage.run(for: .seconds(5))
    #expect(!isPlaying(stage) && countdowns(of: 1, stage) == ["waits"])
    stage.ask(.setReadyToStart(nil, true), by: 1)
    stage.run(for: .seconds(2))
    #expect(!isPlaying(stage) && countdowns(of: 1, stage) == ["waits", "starts"])
    stage.run(for: .seconds(3))
    #expect(isPlaying(stage))
    for member in 0..<2 { #expect(countdowns(of: member, stage) == ["waits", "starts", "none"]) }
  }

  @Test func `anybody takes it back, and whoever steers ends it`() throws {
    var stage = try evening()
    stage.ask(.setReadyToStart(nil, true), by: 0)
    stage.ask(.setReadyToStart(nil, true), by: 1)
    stage.run(for: .seconds(1))
    stage.feed(.countdown(true), to: 0)
    stage.run(for: .seconds(1))
    stage.feed(.countdown(false), to: 1)
    stage.run(for: .seconds(5))
    #expect(!isPlaying(stage) && countdowns(of: 0, stage) == ["starts", "none"])
    stage.feed(.countdown(true), to: 1)
    stage.run(for: .seconds(1))
    stage.ask(.playback(nil, .seek(ItemID("film"), to: .seconds(9))), by: 0)
    stage.run(for: .seconds(5))
    #expect(!isPlaying(stage))
    #expect(countdowns(of: 0, stage) == ["starts", "none", "starts", "none"])
  }

  @Test func `a wish about another session changes nothing in this one`() throws {
    var stage = try evening()
    let id = try #require(stage.sessionID)
    stage.feed(.countdown(true, of: SessionID("gone")), to: 0)
    stage.run(for: .seconds(1))
    #expect(countdowns(of: 1, stage).isEmpty)
    stage.feed(.countdown(true, of: id), to: 0)
    stage.run(for: .seconds(1))
    #expect(countdowns(of: 1, stage) == ["waits"])
  }

  @Test func `who goes takes the wish along`() throws {
    var stage = try evening()
    stage.feed(.countdown(true), to: 0)
    stage.run(for: .seconds(1))
    stage.ask(.leave(nil), by: 0)
    stage.run(for: .seconds(1))
    #expect(countdowns(of: 1, stage) == ["waits", "none"])
  }
}
