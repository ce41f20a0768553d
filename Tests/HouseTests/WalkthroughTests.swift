import Foundation
import Testing

/// The article that follows a pause through the server names files and functions that exist.
@Suite struct WalkthroughTests {
  private struct Place: Hashable {
    let file: String
    let function: String
  }

  private static let article =
    "Sources/Coordination/Coordination.docc/AWalkThroughMatinee.md"

  /// The places that the tables below a heading name.
  private func places(below heading: String? = nil) throws -> [Place] {
    let url = SourceTree.root.appending(path: Self.article)
    var text = try String(contentsOf: url, encoding: .utf8)[...]
    if let heading {
      let start = try #require(text.range(of: "## " + heading)?.upperBound)
      text = text[start...]
      if let end = text.range(of: "\n## ")?.lowerBound { text = text[..<end] }
    }
    let name = try Regex(#"\| `([A-Za-z+]+\.swift)` `([A-Za-z]+)` \|"#)
    return text.matches(of: name).compactMap { match in
      guard let file = match.output[1].substring, let function = match.output[2].substring else {
        return nil
      }
      return Place(file: String(file), function: String(function))
    }
  }

  @Test func `each file and each function is there`() throws {
    let tree = try SourceTree("Sources")
    let places = try places()
    #expect(places.count == 20)
    for place in places {
      let files = tree.files.filter { $0.path.hasSuffix("/" + place.file) }
      let declaration = try SourceTree.expression(
        #"\b(func|static let) \#(place.function)\b"#)
      #expect(
        files.contains { file in file.lines.contains { $0.contains(declaration) } },
        "no \(place.file) has \(place.function)")
    }
  }

  @Test func `a pause passes few files, and fewer decide about it`() throws {
    let all = Set(try places().map(\.file))
    let deciding = Set(try places(below: "Who may pause").map(\.file))
    #expect(deciding.count <= 4)
    #expect(all.subtracting(["GroupSession.swift"]).count <= 13)
  }
}
