import ArgumentParser
import Naming
import Signatures
import Testing
import Vocabulary

@testable import matinee

@Suite struct IssueTokenTests {
  private static let needed = ["--key-file", "k", "--user", "ann"]
  private static let now = WallTime(seconds: 1_800_000_000)

  @Test func `options become the token's contents`() throws {
    let command = try IssueToken.parse(
      Self.needed + [
        "--name", "Ann", "--group", "friday", "--group", "club-*", "--admin", "--for", "90m",
        "--audience", "here", "--issuer", "trial", "--key-id", "k1",
      ])
    let contents = try command.contents(at: Self.now)
    #expect(contents.user == "ann" && contents.name == "Ann" && contents.isAdministrator)
    #expect(contents.groups == GroupGrants(["friday", "club-*"]))
    #expect(contents.audience == "here" && contents.issuer == "trial" && contents.keyID == "k1")
    #expect(contents.issued == Self.now && contents.expires == Self.now + 5_400)
  }

  @Test func `a token grants nothing that is not said, and lives for an hour`() throws {
    let contents = try IssueToken.parse(Self.needed).contents(at: Self.now)
    #expect(
      contents
        == TokenContents(user: "ann", issued: Self.now, expires: Self.now + 3_600))
  }

  @Test(arguments: [("1s", 1), ("1.5h", 5_400), ("7d", 604_800), ("1999ms", 1)])
  func `a lifetime has a unit`(text: String, seconds: Int64) throws {
    let contents = try IssueToken.parse(Self.needed + ["--for", text]).contents(at: Self.now)
    #expect(contents.expires == Self.now + seconds)
  }

  /// Command lines with a mistake each, and the message.
  static let mistakes: [(arguments: [String], words: String)] = [
    (["--for", "1"], "--for takes a number and its unit"), (["--for", "0s"], "not 0s"),
    (["--for", "-1h"], "not -1h"), (["--for", "999ms"], "not 999ms"),
    (["--for", "100000d"], "not 100000d"), (["--for", ""], "--for takes"),
    (["--user", ""], "--user takes a name: 1 to 64 bytes"), (["--user", "a\nb"], "--user takes"),
    (["--user", String(repeating: "a", count: 65)], "--user takes"),
    (["--name", ""], "--name takes a name: 1 to 256 bytes"),
    (["--group", ""], "--group takes a group"),
    (["--group", String(repeating: "a", count: 65)], "--group takes"),
    (["--audience", ""], "--audience takes a text"), (["--issuer", ""], "--issuer takes a text"),
    (["--key-id", ""], "--key-id takes a text"),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told with what would be right`(arguments: [String], words: String) {
    do {
      _ = try IssueToken.parse(["--key-file", "k", "--user", "ann"] + arguments)
      Issue.record("accepted")
    } catch {
      #expect(IssueToken.message(for: error).contains(words), "\(IssueToken.message(for: error))")
    }
  }

  @Test func `the longest group may have a star behind it`() throws {
    let longest = String(repeating: "a", count: 64)
    _ = try IssueToken.parse(Self.needed + ["--group", longest, "--group", longest + "*"])
  }
}
