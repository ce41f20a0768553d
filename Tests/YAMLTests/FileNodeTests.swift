import Testing
import YAML

@Suite struct FileNodeTests {
  private func node(_ text: String) throws(FileError) -> FileNode {
    try FileNode(composing: text, file: "test.yaml", ifEmpty: "write something")
  }

  private func flaw<Value>(_ read: () throws(FileError) -> Value) -> FileError? {
    do throws(FileError) {
      _ = try read()
      return nil
    } catch { return error }
  }

  @Test func `every node knows its line and its column`() throws {
    let pairs = try node("one: 1\ntwo:\n  - a\n  - {key: value}\n").pairs("this")
    #expect(pairs.map(\.key.line) == [1, 2])
    #expect(pairs.map(\.value.line) == [1, 3])
    #expect(pairs[0].value.column == 6)
    let elements = try pairs[1].value.elements("two")
    #expect(elements.map(\.line) == [3, 4])
    #expect(elements.map(\.column) == [5, 5])
    let inner = try elements[1].pairs("this")
    #expect(inner[0].value.column == 11)
  }

  @Test(arguments: [
    ("", 1, 1, "the file is empty; write something"),
    ("# only a word\n", 1, 1, "the file is empty; write something"),
    ("a: [", 2, 1, "this is not valid YAML"), ("a: b: c", 1, 5, "this is not valid YAML"),
    ("a: 1\na: 2", 1, 1, "`a` appears here and again further down"),
    ("a: 1\nb: \u{7}", 2, 4, "this is not valid YAML: control characters are not allowed"),
    ("a: 1\n--- \nb: 2", 2, 1, "this is not valid YAML"), ("a: *b", 1, 4, "this is not valid YAML"),
    (String(repeating: "[", count: 5000), 1, 1, "this is not valid YAML: Maximum nesting level"),
  ])
  func `what is no YAML is told with its place`(
    text: String, line: Int, column: Int, words: String
  ) throws {
    let error = try #require(flaw { () throws(FileError) in try node(text) })
    #expect("\(error)".hasPrefix("test.yaml:\(line):\(column): \(words)"), "\(error)")
  }

  @Test func `nothing behind a key is empty, a text of nothing is not`() throws {
    let values = try node("[~, null, '', \"null\", 0]").elements("this")
    #expect(values.map(\.isEmpty) == [true, true, false, false, false])
    let pairs = try node("a:\nb: ''\nc: |\n  ~\nd: x").pairs("this")
    #expect(pairs.map(\.value.isEmpty) == [true, false, false, false])
    #expect(pairs.map(\.value.isQuoted) == [false, true, true, false])
    #expect(pairs.map(\.value.scalar) == [nil, "", "~\n", "x"])
    #expect(flaw { () throws(FileError) in try pairs[1].value.text("a name") } != nil)
  }

  @Test func `an unknown key is told what it may have been`() throws {
    let root = try node("titel: x")
    let error = flaw { () throws(FileError) in try root.fields(["title", "body"]) }
    #expect(
      error?.description
        == "test.yaml:1:1: `titel` means nothing here; did you mean `title`? "
        + "Otherwise write one of: title, body")
  }

  @Test func `what is far from every word is told all of them`() {
    #expect(suggestion(for: "window", ["title", "body"]) == "write one of: title, body")
    let long = String(repeating: "x", count: 100_000)
    #expect(suggestion(for: long, ["title"]) == "write one of: title")
  }
}
