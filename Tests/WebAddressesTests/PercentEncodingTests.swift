import Testing
import WebAddresses

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("", ""), ("friday-2_a.b~", "friday-2_a.b~"), ("a b", "a%20b"), ("ü", "%C3%BC"),
    ("a/b?c#d%e", "a%2Fb%3Fc%23d%25e"), ("🍿", "%F0%9F%8D%BF"), ("\0\n\u{7F}", "%00%0A%7F"),
    ("+&=", "%2B%26%3D"),
  ])
  func `a text has one part, which reads back`(text: String, part: String) {
    #expect(PercentEncoding.part(for: text) == part)
    #expect(PercentEncoding.text(of: Array(part.utf8)) == text)
  }

  @Test(arguments: [("a+b", "a+b"), ("gr%c3%bcn", "grün"), ("grün🍿", "grün🍿"), ("a:b@c", "a:b@c")])
  func `what people write is understood`(part: String, text: String) {
    #expect(PercentEncoding.text(of: Array(part.utf8)) == text)
  }

  @Test(arguments: [
    "%", "%2", "%zz", "a%G0", "%FF", "%C3", "%ED%A0%80", "a b", "a/b", "a?b", "a#b", "\n", "\u{7F}",
  ])
  func `what is no part stands for nothing`(part: String) {
    #expect(PercentEncoding.text(of: Array(part.utf8)) == nil)
  }
}
