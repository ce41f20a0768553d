import Foundation
import InAppMessaging
import Testing

@testable import CampaignFiles

/// Which texts can be read on their background, by the cases that the page keeps to, too.
@Suite struct ContrastTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Browser/Cases/contrast.txt")
  }

  @Test func `a text can be read from a contrast of 4.5 to 1 on`() throws {
    let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 10)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let text = try #require(Color(text: words[0]))
      let background = try #require(Color(text: words[2]))
      let contrast = try #require(Contrast(of: text, on: background))
      #expect(contrast.isReadable == (words[4] == "readable"), "\(line): \(contrast.ratio)")
    }
  }

  @Test(arguments: [
    (
      "{message: A, themes: {light: {text: \"#FFFFFF\", background: \"#FEFEFE\"}}}", "`text` cannot"
    ),
    (
      "{message: A, themes: {dark: {icon: \"#FFFF00\", iconBackground: \"#FFFFFF\"}}}",
      "`icon` cannot be read on its `iconBackground`"
    ),
    (
      "{message: A, buttons: [{text: B, themes: "
        + "{dark: {text: \"#FFFFFF\", background: \"#FF8800\"}}}]}",
      "cannot be read on its `background`"
    ),
  ])
  func `a text that pages show in another colour is told, and taken`(
    message: String, words: String
  ) throws {
    let warnings = try warnings(about: message)
    #expect(warnings.count == 1)
    let warning = try #require(warnings.first)
    #expect(warning.hasPrefix("a.yaml:2:") && warning.contains(words), "\(warning)")
  }

  @Test(arguments: [
    "{message: A, themes: {light: {text: \"#000000\", background: \"#FEFEFE\"}}}",
    "{message: A, themes: {light: {text: \"#FFFFFF\"}, dark: {background: \"#FEFEFE\"}}}",
    "{message: A, themes: {light: {text: \"#FFFFFF\", background: \"#80FEFEFE\"}}}",
    "{message: A, themes: {light: {border: \"#FFFFFF\", background: \"#FEFEFE\"}}}",
  ])
  func `a text on a background that is not known is no cause for a warning`(
    message: String
  ) throws {
    #expect(try warnings(about: message) == [])
  }

  private func warnings(about message: String) throws -> [String] {
    try CampaignReader(file: "a.yaml").read("triggers: launch\nmessage: \(message)")
      .flatMap(\.warnings).map(\.description)
  }
}
