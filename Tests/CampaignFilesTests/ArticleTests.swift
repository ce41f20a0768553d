import CampaignFiles
import Foundation
import InAppMessaging
import Testing
import Vocabulary
import YAML

/// The article on the format says what the reader does.
@Suite struct ArticleTests {
  private let article: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    article = try String(
      contentsOf: root.appending(
        path: "Sources/CampaignFiles/CampaignFiles.docc/CampaignFiles.md"), encoding: .utf8)
  }

  /// What stands in the fences that begin so.
  private func examples(_ opening: String) -> [String] {
    article.components(separatedBy: "```\(opening)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  private func mistakes(in text: String) -> [FileError] {
    errors { () throws(CampaignFilesError) in
      try CampaignReader(file: "film-night.yaml").read(text)
    }
  }

  @Test func `every example is read without a mistake`() throws {
    let examples = examples("yaml")
    #expect(examples.count == 6)
    for example in examples {
      #expect(mistakes(in: example).map(\.description) == [])
      #expect(try !CampaignReader(file: "film-night.yaml").read(example).isEmpty)
    }
  }

  @Test func `the mistakes of the mistaken example are told as shown`() throws {
    let text = try #require(examples("yaml mistaken").first)
    let shown = try #require(examples("").first { $0.hasPrefix("film-night.yaml:") })
      .split(separator: "\n")
    let told = mistakes(in: text).map(\.description).sorted()
    #expect(told.count == shown.count)
    for (line, error) in zip(shown, told) {
      let beginning = line.components(separatedBy: "…")[0]
      #expect(error.hasPrefix(beginning), "\(error)")
    }
  }

  @Test func `the readme shows the article's first example`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let example = try #require(examples("yaml").first)
    #expect(readme.contains("```yaml\n\(example)```"))
  }

  @Test func `few words make the campaign that the overview says`() throws {
    let text = try #require(examples("yaml").first)
    let campaign = try #require(
      try CampaignReader(file: "dir/film-night.yaml").read(text).first?.campaign)
    #expect(campaign.id.text == "film-night" && campaign.state == .live)
    #expect(campaign.audience == .all && campaign.reEligibility == .never)
    guard case .message(let message)? = campaign.variants.first?.content else { return }
    #expect(message.surface == .dialog && message.buttons.count == 2)
  }

  /// The advice for an unknown key lists all that are known at its place.
  @Test(arguments: [
    "zzzz: 1", "audience: {zzzz: 1}", "triggers: {zzzz: 1}", "message: {zzzz: 1}",
    "message: {buttons: [{zzzz: 1}]}", "message: {closing: {zzzz: 1}}",
    "message: {themes: {zzzz: 1}}", "message: {themes: {light: {zzzz: 1}}}",
    "message: {clickAction: {zzzz: 1}}", "message: {image: {zzzz: 1}}",
    "variants: [{zzzz: 1}]", "triggers: {event: x, where: {a: {zzzz: 1}}}", "state: zzzz",
    "priority: zzzz", "triggers: zzzz", "message: {kind: zzzz}", "message: {surface: zzzz}",
    "message: {orientation: zzzz}", "message: {headerAlignment: zzzz}",
    "message: {clickAction: {session: zzzz}}",
  ])
  func `every word that the reader knows stands in the article`(text: String) throws {
    let advice = try #require(
      mistakes(in: text).first { $0.problem.contains("`zzzz`") }?.advice)
    let known = try #require(advice.components(separatedBy: "write one of: ").last)
      .components(separatedBy: ";")[0].components(separatedBy: ", ")
    let words = Set(article.split { !$0.isLetter })
    #expect(known.count > 1)
    for word in known {
      #expect(words.contains(word[...]), "\(word) is not explained")
    }
  }

  @Test(arguments: [
    ("live campaigns, as in Braze", CampaignLimits.liveCampaigns),
    ("campaigns of any state", CampaignLimits.campaigns),
    ("files in a directory", CampaignBounds.files), ("bytes of a file", CampaignBounds.fileBytes),
    ("triggers of a campaign", CampaignLimits.triggers),
    ("conditions of a trigger", CampaignLimits.filters),
    (
      "conditions of an audience, nested at most \(CampaignLimits.nesting) deep",
      CampaignLimits.conditions
    ), ("variants", CampaignLimits.variants),
    ("a cap of a session or a length of time", CampaignLimits.cap),
    ("pairs of extras or properties", CampaignBounds.pairs),
    ("bytes of a text", CampaignBounds.messageBytes),
    ("bytes of a page of HTML", CampaignBounds.htmlBytes),
    ("bytes of a URL", Limits.urlBytes),
    ("bytes of a regular expression", CampaignBounds.expressionBytes),
  ])
  func `the bounds are those that hold`(words: String, bound: Int) {
    #expect(article.contains("| \(words) | \(bound) |"))
  }
}
