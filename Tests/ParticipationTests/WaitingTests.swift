import Foundation
import GroupSessions
import JSON
import Playback
import Testing
import Vocabulary
import Wire

/// Whom a start waits for, by the cases that the page for browsers keeps to, too.
@Suite struct WaitingTests {
  /// A session as a server tells it, and whom its start waits for at an instant.
  private struct Story {
    var name = ""
    var policy = ""
    var phase = "preparing"
    /// A participant's fields as JSON, as far as they matter, by name.
    var people: [(name: String, fields: String)] = []
    var waitsFor: [(instant: String, names: String)] = []
  }

  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Browser/Cases/waiting.json")
  }

  private func stories() throws -> [Story] {
    let text = "{\"stories\":\(try String(contentsOf: Self.file, encoding: .utf8))}"
    var stories: [Story] = []
    var parser = JSONParser(maximumBytes: text.utf8.count)
    try parser.parse(text.utf8.span) { (root) throws(DecodingFlaw) in
      try root.array("stories", maximum: 1_000).forEach { (value) throws(DecodingFlaw) in
        var story = Story()
        try value.object().forEachField(nameMaximum: 100) { (name, value) throws(DecodingFlaw) in
          switch name {
          case "case": story.name = try value.string(maximum: 1_000)
          case "policy": story.policy = try value.rawJSON(maximum: 1_000).text
          case "phase": story.phase = try value.string(maximum: 100)
          case "people":
            try value.object().forEachField(nameMaximum: 100) {
              (name, value) throws(DecodingFlaw) in
              story.people.append((name, try value.rawJSON(maximum: 1_000).text))
            }
          default:
            try value.object().forEachField(nameMaximum: 100) { (at, value) throws(DecodingFlaw) in
              story.waitsFor.append((at, try value.rawJSON(maximum: 1_000).text))
            }
          }
        }
        stories.append(story)
      }
    }
    return stories
  }

  private func session(_ story: Story) throws -> GroupSession {
    let people = story.people.map { name, fields in
      let place = fields.contains("\"item\"") ? "" : ",\"item\":\"film\""
      let rest = fields == "{}" ? "" : ",\(fields.dropFirst().dropLast())"
      return """
        {"participant":"\(name)","user":"\(name)","device":"\(name)","name":"\(name)",\
        "role":"guest","joinedAt":0\(place)\(rest)}
        """
    }
    let anchor = story.phase == "playing" ? ",\"anchor\":0" : ""
    let line = """
      {"type":"snapshot","participant":"ann","at":0,"session":"s-1","group":"g",\
      "initiator":{"user":"ann","device":"ann","name":"ann"},"state":"open","seq":9,\
      "activity":{"type":"watch","metadata":{"title":"Film"},"media":{"url":"film"}},\
      "revision":1,"control":"everyone",\
      "participants":[\(people.joined(separator: ","))],"waitingPolicy":\(story.policy),\
      "timelines":[{"item":"film","phase":"\(story.phase)","mediaTime":0,"rate":1,\
      "seq":5\(anchor)}],\
      "nextSuspension":9,"queue":{"entries":[],"repeat":"off","autoAdvance":true,"nextNumber":1}}
      """
    var decoder = ServerLineDecoder(maximumBytes: 10_000)
    let told = try decoder.decode(Array(line.utf8).span)
    let snapshot =
      if case .snapshot(let snapshot) = told { snapshot.session } else { nil as GroupSession? }
    return try #require(snapshot)
  }

  @Test func `a start waits as the cases say`() throws {
    let stories = try stories()
    #expect(stories.count >= 14)
    for story in stories {
      let session = try session(story)
      for (text, names) in story.waitsFor {
        let instant = Instant(microseconds: try #require(Int64(text)))
        let awaited = session.awaited(ItemID("film"), at: instant).map { "\"\($0.name)\"" }
        #expect("[\(awaited.joined(separator: ","))]" == names, "\(story.name), at \(text)")
      }
    }
  }
}
