import Testing

@testable import matinee

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
    ("plain", "plain"), ("a<b", "a"), ("<p>one</p><p>two</p>", "one\ntwo"),
    ("<script>var x = '<p>';</script>text", "text"), ("<STYLE>x</Style>y", "y"),
    ("<script>never closed", ""), ("a &lt;b&gt; &amp;lt;", "a <b> &lt;"),
    ("<ul>\n  <li>one\n  <li>two\n</ul>", "one\ntwo"), ("x<br/>y", "x\ny"),
  ])
  func `a page is its text`(source: String, text: String) {
    #expect(PlainHTML(source).text == text)
  }
}
