import Testing

@testable import MatineeTerminal

/// How wide texts are, and where they are broken.
@Suite struct TextColumnsTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｆ", 2), ("🍿", 2), ("👨‍👩‍👧", 2),
    ("❤️", 2), ("❤", 1), ("한", 2), ("─", 1), ("🇯🇵", 2),
  ])
  func `a text takes as many columns as a terminal gives it`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("", [""]), ("one two three", ["one two", "three"]), ("one\ntwo", ["one", "two"]),
    ("a\n\nb", ["a", "", "b"]), ("abcdefghij", ["abcdefgh", "ij"]),
    ("a abcdefghij", ["a", "abcdefgh", "ij"]), ("日本語日本", ["日本語日", "本"]),
    ("  spaced   out  ", ["spaced", "out"]), ("abcdefgh", ["abcdefgh"]),
  ])
  func `a text is broken between words where that can be done`(text: String, lines: [String]) {
    #expect(text.wrapped(to: 8) == lines)
  }

  @Test(arguments: [
    ("plain", "plain"), ("é 日本 👨‍👩‍👧 ❤️", "é 日本 👨‍👩‍👧 ❤️"), ("", ""),
    ("one\ntwo\r\nthree\tfour", "one two three four"), ("a\u{1B}[31mred\u{7}", "a[31mred"),
    ("a\u{0}b\u{9B}2Jc", "ab2Jc"), ("\u{202E}backwards\u{2028}next", "backwards next"),
    ("\u{202A}a\u{202B}b\u{202C}c\u{202D}d\u{2066}e\u{2067}f\u{2068}g\u{2069}h", "abcdefgh"),
    ("\u{85}a\u{2029}b\u{200F}c\u{7F}", "a bc"),
  ])
  func `of what others wrote a terminal obeys nothing, and no line begins`(
    text: String, shown: String
  ) {
    #expect(text.onOneLine == shown)
    var table = TextTable("NAME", "ROLE")
    table.add(text, "host")
    #expect(table.lines.count == 2)
    #expect(table.lines[1].hasPrefix(shown))
    let styling = TextStyling(hasColor: true)
    #expect(StyledLine(text).styled(styling) == shown)
    if !text.isEmpty {
      #expect(StyledLine(text, .red).styled(styling) == "\u{1B}[31m\(shown)\u{1B}[0m")
    }
  }

  @Test(arguments: [
    (#"{"a":"é 日本"}"#, #"{"a":"é 日本"}"#), ("[1]\n[2]", "[1]\n[2]"),
    ("\"\u{9B}2J\u{202E}\u{2028}\u{7F}\"", #""\u009b2J\u202e\u2028\u007f""#),
    ("\"\u{E0067}\"", #""\udb40\udc67""#),
  ])
  func `JSON means the same with escapes for what a terminal obeys`(text: String, shown: String) {
    #expect(text.escapedJSON == shown)
  }

  @Test func `a column is as wide as its cells are on a terminal`() {
    var table = TextTable("NAME", "ROLE")
    table.add("日本", "host")
    table.add("ann", "viewer")
    #expect(table.lines == ["NAME  ROLE", "日本  host", "ann   viewer"])
  }

  @Test(arguments: [
    ("plain", "plain"), ("a<b", "a"), ("<p>one</p><p>two</p>", "one\ntwo"),
    ("<script>var x = '<p>';</script>text", "text"), ("<STYLE>x</Style>y", "y"),
    ("<script>never closed", ""), ("a &lt;b&gt; &amp;lt;", "a <b> &lt;"),
    ("<ul>\n  <li>one\n  <li>two\n</ul>", "one\ntwo"), ("x<br/>y", "x\ny"),
  ])
  func `a page is its text`(source: String, text: String) {
    #expect(PlainHTML(source).text == text)
  }
}
