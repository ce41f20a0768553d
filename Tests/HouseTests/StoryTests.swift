import Foundation
import Testing

/// The how-to articles show the code of the apps in `Tests/Stories`, which is compiled and run there.
@Suite struct StoryTests {
  private static let stories = "Tests/Stories/Sources/Stories"
  private static let catalogue = "Sources/MatineeClient/MatineeClient.docc"
  private static let names = [
    "AnsweringNotifications", "CustomViews", "DecidingOnMessages", "DrawingMessages",
    "WatchingTogether",
  ]
  /// The articles, each with the folders of its text and of its code.
  static let articles =
    names.map { (name: $0, catalogue: catalogue, code: stories) } + [
      (
        name: "MatineeTerminal", catalogue: "Sources/MatineeTerminal/MatineeTerminal.docc",
        code: "Tests/Stories/Sources/TerminalStory"
      )
    ]

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
  }

  /// Code without what its lines are indented by in common.
  private static func dedented(_ lines: [Substring]) -> String {
    let depths = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    return lines.map { $0.dropFirst(depths.min() ?? 0) }.joined(separator: "\n")
  }

  /// Whether a source has a block of code, indented or not.
  private static func has(_ source: [Substring], _ block: [Substring]) -> Bool {
    source.indices.dropLast(block.count - 1).contains { start in
      dedented(Array(source[start..<start + block.count])) == dedented(block)
    }
  }

  @Test(arguments: articles)
  func `an article shows only code that a test runs`(
    name: String, catalogue: String, code: String
  ) throws {
    let source = try Self.text("\(code)/\(name).swift")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let blocks = try Self.text("\(catalogue)/\(name).md").split(separator: "```swift\n")
      .dropFirst().compactMap { $0.split(separator: "\n```").first }
    #expect(blocks.count > 2)
    for block in blocks {
      let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(Self.has(source, lines), "not in \(name).swift: \(block)")
    }
    let tests = try Self.text("Tests/Stories/Tests/StoriesTests/\(name)Tests.swift")
    #expect(tests.contains("@Test"))
  }

  @Test func `a block that differs by a word is noticed`() {
    let source: [Substring] = ["struct A {", "  func b() {", "    c()", "  }", "}"]
    #expect(Self.has(source, ["func b() {", "  c()", "}"]))
    #expect(!Self.has(source, ["func b() {", "  d()", "}"]))
    #expect(!Self.has(source, ["func b() {", "c()", "}"]))
  }

  @Test func `every story has an article, and the overview lists it`() throws {
    let files = try SourceTree(Self.stories).files.map(\.path).filter { !$0.contains("/Platform/") }
    #expect(files == Self.names.map { "\(Self.stories)/\($0).swift" })
    let overview = try Self.text("\(Self.catalogue)/MatineeClient.md")
    let topics = try #require(overview.split(separator: "### How-to articles\n").dropFirst().first)
    for name in Self.names { #expect(topics.contains("- <doc:\(name)>")) }
  }

  @Test func `apps use the products alone, and force and swallow nothing`() throws {
    let tree = try SourceTree("Tests/Stories/Sources")
    #expect(try tree.places(of: HouseRulesTests.banned) { _ in true } == [])
    let others = #"\bimport (?!(MatineeClient|MatineeTerminal|Observation|Dispatch)$)"#
    #expect(try tree.places(of: others) { _ in true } == [])
    let manifest = try Self.text("Tests/Stories/Package.swift")
    #expect(manifest.contains(#"dependencies: [.package(name: "matinee", path: "../..")]"#))
    let products = manifest.split(separator: #".product(name: ""#).dropFirst()
      .compactMap { $0.split(separator: "\"").first }
    #expect(products == ["MatineeClient", "MatineeClient", "MatineeTerminal"])
  }
}
