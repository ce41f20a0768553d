import CampaignFiles
import InAppMessaging
import Naming
import Testing
import Vocabulary
import YAML

/// What a file's author is told, and what a client does with the message that comes of it: of a
/// thousand messages with extras of all sorts, none is taken by one and refused by the other.
@Suite struct SameSchemaTests {
  private static let texts = [
    "A", "A, B", "A,B", ",", " , ", ", ,", "1,000, 2,000", "A ,  B,", "日本, 中国",
  ]
  private static let names: [PropertyValue] =
    ["video", "picker", "table_list", "permission", "default", "mine", ""].map { .string($0) }
    + [.number(7), .bool(true), .list(["picker"])]
  private static let urls = [
    "https://example.org/film.mp4", "http://example.org/film.mp4", "https://127.0.0.1/film.mp4",
    "https://127.1/film.mp4", "https://youtu.be/x", "https://example.org/film", "/films/a.mp4",
    "/films/a.txt", "film.mp4", "", "javascript:alert(1)", "https://ann@example.org/film.mp4",
    "https://exämple.org/film.mp4", "ftp://example.org/film.mp4", "https:///film.mp4",
  ]

  /// A modal with a text, and extras that a view may make something of, or not.
  private func message(_ random: inout SplitMix64) -> InAppMessage {
    func one(_ values: [String]) -> PropertyValue {
      .string(values.randomElement(using: &random) ?? "")
    }
    let text = Self.texts.randomElement(using: &random) ?? ""
    var message = InAppMessage(id: "", kind: .modal, body: .text(.init(text)))
    if Int.random(in: 0..<5, using: &random) > 0 {
      message.extras["view_type"] = Self.names.randomElement(using: &random)
    }
    let odd: [PropertyValue] = [.number(1), .bool(false), .list([]), .string("")]
    for (key, usual) in [
      ("video_url", one(Self.urls)), ("video_title", .string("Film")),
      ("attribute_key", .string("a")),
    ] {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: break
      case 1: message.extras[key] = odd.randomElement(using: &random)
      default: message.extras[key] = usual
      }
    }
    return message
  }

  private func yaml(_ value: PropertyValue) -> String {
    switch value {
    case .string(let text): "\"\(text)\""
    case .number(let number): "\(Int(number))"
    case .bool(let bool): "\(bool)"
    case .list(let texts): "[\(texts.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
  }

  private func file(_ message: InAppMessage) -> String {
    guard case .text(let text) = message.body else { return "" }
    let extras = message.extras.map { "\($0.key): \(yaml($0.value))" }.joined(separator: ", ")
    return "triggers: launch\nmessage: {message: \"\(text.message)\", extras: {\(extras)}}"
  }

  /// What the client makes of it that comes along, with the app's leave for all videos or none.
  private func fault(_ message: InAppMessage, media: MediaURLGuard) -> ContentFault? {
    let registry = ViewRegistry()
    let view = registry.choose(for: PresentationContext(message: message)).view ?? ""
    return message.fault(in: view, needing: registry.requirements(of: view), media: media)
  }

  // Proves: A8, A10, A11, A13, S8, S13
  @Test func `what a file is taken with, a client shows; what is refused there, nobody would`()
    throws
  {
    var random = SplitMix64(seed: 31)
    var counts = (taken: 0, doubted: 0, refused: 0)
    for _ in 0..<2_000 {
      let message = message(&random)
      let file = file(message)
      guard message.extras["view_type"] != .number(7), message.extras["view_type"] != .bool(true),
        message.extras["view_type"] != .list(["picker"])
      else {
        // A name that is no text is the default view to a client, and a mistake to an author.
        #expect(!errors { () throws(CampaignFilesError) in try read(file) }.isEmpty, "\(file)")
        #expect(fault(message, media: .widest) == nil, "\(file)")
        continue
      }
      guard errors({ () throws(CampaignFilesError) in try read(file) }).isEmpty else {
        counts.refused += 1
        #expect(fault(message, media: .authors) != nil, "\(file)")
        // A file's name is a mistake of an author, but a player may know a copy of it.
        let isName = message.extras[VideoView.urlKey] == .string("film.mp4")
        #expect(isName || message.universalFault != nil, "\(file)")
        continue
      }
      let entry = try #require(try read(file).first)
      #expect(entry.campaign.variants.map(\.content) == [.message(message)], "\(file)")
      #expect(message.universalFault == nil, "\(file)")
      #expect(fault(message, media: .widest) == nil, "\(file)")
      let isDoubted = entry.warnings.contains { $0.error.problem.contains("where an app allows") }
      #expect((fault(message, media: MediaURLGuard().forCampaigns) != nil) == isDoubted, "\(file)")
      if isDoubted { counts.doubted += 1 } else { counts.taken += 1 }
    }
    #expect(counts.taken > 300 && counts.doubted > 20 && counts.refused > 200, "\(counts)")
  }

  private func read(_ file: String) throws(CampaignFilesError) -> [CampaignEntry] {
    try CampaignReader(file: "a.yaml").read(file)
  }
}
