import CampaignFiles
import FolderTesting
import Foundation
import InAppMessaging
import Naming
import Testing
import Vocabulary
import YAML

@Suite struct CampaignDirectoryTests {
  private func entries(_ directory: ScratchFolder) throws(CampaignFilesError) -> [CampaignEntry] {
    try CampaignSource(directory.path).read()
  }

  private static let good = "triggers: launch\nmessage: {message: Hello}\n"

  @Test func `campaigns come in the order of the files' names`() throws {
    let folder = try ScratchFolder([
      "b.yaml": Self.good, "a.yml": Self.good, "README.md": "# No campaign",
      ".hidden.yaml": "no campaign", "c.yaml": "campaigns:\n- {id: z, \(flow)}\n- {id: y, \(flow)}",
    ])
    let entries = try entries(folder)
    #expect(entries.map(\.campaign.id.text) == ["a", "b", "z", "y"])
    #expect(entries.map(\.line) == [1, 1, 2, 3])
    #expect(entries[0].file == "\(folder.path)/a.yml")
  }

  private let flow = "triggers: launch, message: {message: Hello}"

  @Test func `an empty directory has no campaigns`() throws {
    #expect(try entries(try ScratchFolder([:])) == [])
  }

  @Test func `the mistakes of all files are told, and nothing is handed out`() throws {
    let folder = try ScratchFolder([
      "a.yaml": Self.good, "b.yaml": Self.good + "delay: soon\nstate: on", "c.yaml": "",
    ])
    let found = errors { () throws(CampaignFilesError) in try entries(folder) }
    #expect(found.map { $0.file.split(separator: "/").last } == ["b.yaml", "b.yaml", "c.yaml"])
    #expect(found.map(\.line) == [3, 4, 1])
    let error = CampaignFilesError.refused(found)
    #expect(error.description.split(separator: "\n").count == 3)
  }

  @Test func `an id stands for one campaign, over all files`() throws {
    let folder = try ScratchFolder([
      "a.yaml": Self.good, "b.yaml": "# Moved.\nid: a\n" + Self.good,
    ])
    let found = errors { () throws(CampaignFilesError) in try entries(folder) }
    #expect(found.map(\.line) == [2])
    #expect(found.first?.problem == "another campaign is called `a`: \(folder.path)/a.yaml:1")
  }

  @Test func `an id that is taken is told beside the other mistakes of its file`() throws {
    let folder = try ScratchFolder([
      "a.yaml": Self.good,
      "b.yaml": "campaigns:\n- {id: a, \(flow)}\n- {id: b, \(flow), delay: soon}",
    ])
    let found = errors { () throws(CampaignFilesError) in try entries(folder) }
    #expect(found.map(\.line) == [2, 3])
    #expect(found.first?.problem.hasPrefix("another campaign is called `a`") == true)
  }

  @Test func `a message that triggers another is there`() throws {
    let clicked = "triggers: {messageClicked: summer}\nmessage: {message: Hello}"
    let loose = try ScratchFolder(["a.yaml": clicked, "sumer.yaml": Self.good])
    let found = errors { () throws(CampaignFilesError) in try entries(loose) }
    #expect(
      found.map(\.problem) == [
        "`a` is triggered by a message of `summer`, and there is no such campaign"
      ])
    #expect(found.first?.advice.hasPrefix("did you mean `sumer`?") == true)
    let sound = try ScratchFolder(["a.yaml": clicked, "summer.yaml": Self.good])
    #expect(try entries(sound).count == 2)
  }

  @Test(arguments: [
    ("{message: Hello, buttons: [Stop, Go]}", "2", "write one of: 0, 1"),
    ("{message: Hello, buttons: [{id: watch, text: Watch}]}", "wacth", "did you mean `watch`?"),
    ("{message: Hello}", "1", "leave `button` out"),
    ("{message: Hello, buttons: [Stop, Go]}", "1", nil),
    ("{kind: html, html: <p>Hello</p>}", "anything", nil),
  ])
  func `a button that triggers another is there, or whoever writes of it is warned`(
    message: String, button: String, advice: String?
  ) throws {
    let clicked =
      "triggers: {messageClicked: asks, button: \"\(button)\"}\nmessage: {message: Hello}"
    let folder = try ScratchFolder([
      "a.yaml": clicked, "asks.yaml": "triggers: launch\nmessage: \(message)",
    ])
    let warnings = try entries(folder).flatMap(\.warnings)
    #expect(warnings.count == (advice == nil ? 0 : 1))
    for warning in warnings {
      #expect(warning.description.hasPrefix("\(folder.path)/a.yaml:1:1: warning: `a` is triggered"))
      #expect(advice.map(warning.error.advice.contains) == true)
    }
  }

  @Test func `200 campaigns are live at the most`() throws {
    func text(_ count: Int, _ more: String) -> String {
      "campaigns:\n" + (1...count).map { "- {id: c\($0), \(flow)\(more)}\n" }.joined()
    }
    let full = try ScratchFolder([
      "a.yaml": text(200, ""), "b.yaml": "state: paused\n" + Self.good,
    ])
    #expect(try entries(full).count == 201)
    let over = try ScratchFolder(["a.yaml": text(200, ""), "b.yaml": Self.good])
    let found = errors { () throws(CampaignFilesError) in try entries(over) }
    #expect(found.map(\.problem) == ["201 campaigns are live, and at most 200 can be"])
    #expect(found.first?.file.hasSuffix("b.yaml") == true)
    let many = try ScratchFolder(["a.yaml": text(257, ", state: stopped")])
    let excess = errors { () throws(CampaignFilesError) in try entries(many) }
    #expect(excess.map(\.line) == [258])
  }

  @Test func `what is no file, too large or no text is refused`() throws {
    let folder = try ScratchFolder(["a.yaml": String(repeating: "# \n", count: 100_000)])
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/b.yaml", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/c.yaml", withDestinationPath: "/dev/zero")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/d.yaml", withDestinationPath: "nowhere.yaml")
    try Data([0x61, 0xFF]).write(to: URL(filePath: "\(folder.path)/e.yaml"))
    let found = errors { () throws(CampaignFilesError) in try entries(folder) }
    #expect(
      found.map(\.problem) == [
        "the file is larger than 262144 bytes", "this is no file", "this is no file",
        "the link leads nowhere", "the file is no text in UTF-8",
      ])
  }

  @Test func `a link to a file is that file`() throws {
    let folder = try ScratchFolder(["a.txt": Self.good])
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/b.yaml", withDestinationPath: "a.txt")
    #expect(try entries(folder).map(\.campaign.id) == ["b"])
  }

  @Test func `files are counted before they are read`() throws {
    let names = (0...500).map { "\($0).yaml" }
    let folder = try ScratchFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
    #expect(throws: CampaignFilesError.self) { try entries(folder) }
    do throws(CampaignFilesError) {
      _ = try entries(folder)
    } catch {
      #expect(error.description.contains("it has 501 files in YAML, and at most 500 are read"))
    }
  }

  @Test(arguments: [
    ("/no/such/directory", "there is no such directory"), ("/dev/null", "it is no directory"),
  ])
  func `a directory that is none is told so`(path: String, reason: String) throws {
    #expect(throws: CampaignFilesError.unreadable(directory: path, reason: reason)) {
      try CampaignSource(path).read()
    }
  }
}
