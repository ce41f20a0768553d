import InAppMessaging
import Testing
import Vocabulary

@Suite struct PatternTests {
  // Proves: R-4
  @Test func `it is found anywhere in a text, not only as the whole`() throws {
    #expect(try Pattern("love").isFound(in: "gloves"))
    #expect(try !Pattern("^love$").isFound(in: "gloves"))
    #expect(try Pattern(#"\blove"#).isFound(in: "I love"))
    #expect(try !Pattern(#"\blove"#).isFound(in: "gloves"))
    #expect(try Pattern("(?i)LÖVE").isFound(in: "glöves"))
    #expect(try Pattern("(?i)[A-C]x").isFound(in: "bX"))
    #expect(try Pattern(#"^\d{2,3}-[^x\s]+$"#).isFound(in: "123-ü/b"))
    #expect(try Pattern(#"a\.b"#).isFound(in: "a.b"))
    #expect(try !Pattern(#"a\.b"#).isFound(in: "axb"))
    #expect(try Pattern("[]x-]").isFound(in: "-"))
    #expect(try Pattern("a|").isFound(in: ""))
  }

  /// All expressions of a small alphabet, against the standard library's own, on all small texts.
  @Test func `it finds what the standard library finds`() throws {
    let atoms = ["a", "b", ".", "[ab]", "[^a]", "^", "$", #"\b"#, "(a|b)", "(ab|)"]
    let repeats = ["", "*", "+", "?", "{2}", "{1,2}", "*?"]
    var expressions: [String] = []
    for first in atoms {
      for count in repeats where !(["^", "$", #"\b"#].contains(first) && count != "") {
        for second in atoms {
          expressions += [first + count + second, first + count + "|" + second]
        }
      }
    }
    var texts = [""]
    for length in 1...4 {
      texts += texts.filter { $0.count == length - 1 }.flatMap { text in
        ["a", "b", "-"].map { text + $0 }
      }
    }
    // A text of ASCII is found in by look-ups, any other by following all ways.
    texts += texts.filter { $0.contains("-") }.map { $0.replacing("-", with: "–") }
    for expression in expressions {
      let pattern = try Pattern(expression)
      let regex = try Regex(expression).wordBoundaryKind(.simple)
      for text in texts {
        let isFound = try regex.firstMatch(in: text) != nil
        if pattern.isFound(in: text) != isFound { Issue.record("\(expression) in \(text)") }
      }
    }
  }

  @Test func `what is too large for look-ups is found all the same`() throws {
    let pattern = try Pattern("^(a|b)*a(a|b){9}$")
    #expect(pattern.isFound(in: "abbbbbbbbb"))
    #expect(pattern.isFound(in: "bbbaabababababab"))
    #expect(!pattern.isFound(in: "bbbbbbbbbb"))
    #expect(!pattern.isFound(in: "aaaaaaaaa"))
  }

  @Test func `an expression for the start of a text is looked for nowhere else`() throws {
    for dash in ["-", "–"] {
      #expect(try !Pattern("^b").isFound(in: "a\(dash)b"))
      #expect(try Pattern("^b|b$").isFound(in: "a\(dash)b"))
      #expect(try Pattern("(^|a)b").isFound(in: "\(dash)ab"))
      #expect(try Pattern("^").isFound(in: dash))
      #expect(try !Pattern("^$").isFound(in: dash))
    }
  }

  @Test func `what takes others for ever takes it no time`() throws {
    let text = String(repeating: "a", count: 1_000) + "!"
    #expect(try !Pattern("^(a+)+$").isFound(in: text))
    #expect(try !Pattern("(a*)*b").isFound(in: text))
    #expect(try Pattern("((((((){256}){256}){256}){256}){256}){256}").isFound(in: text))
  }

  @Test func `a text is looked at up to a bound, which is not its end`() throws {
    let text = String(repeating: "a", count: 1_024) + "b"
    #expect(try !Pattern("b").isFound(in: text))
    #expect(try !Pattern("a$").isFound(in: text))
    #expect(try Pattern("^a{200}").isFound(in: text))
  }

  @Test(arguments: [
    ("", 1), ("(a", 1), ("a)", 2), ("[a", 1), ("a**", 3), ("*a", 1), (#"(a)\1"#, 5), ("(?=a)", 3),
    ("a{2", 4), ("a{3,2}", 2), ("a{,2}", 3), (#"\q"#, 1), (#"a\"#, 3), ("[b-a]", 4), ("a{300}", 2),
    ("(a{100}){100}", 1), ("((a{252})*)*", 1), ("(((((a{248})*)*)*)*)*", 1),
  ])
  func `what is not understood is refused, and where`(source: String, position: Int) {
    do throws(PatternError) {
      _ = try Pattern(source)
      Issue.record("\(source) is understood")
    } catch { #expect(error.position == position, "\(source): \(error)") }
  }

  @Test func `as many steps as may be are taken`() throws {
    // Two forks, 251 characters, two jumps and the end are 256 steps.
    #expect(try Pattern("((a{251})*)*").isFound(in: "b"))
  }

  @Test func `groups in groups have a bound`() {
    let source = String(repeating: "(", count: 100) + "a" + String(repeating: ")", count: 100)
    #expect(throws: PatternError.self) { try Pattern(source) }
  }

  /// Any text may stand in a campaign's file.
  @Test func `no expression and no text traps`() {
    let seed = UInt64.random(in: 0..<1_000_000)
    var generator = SplitMix64(seed: seed)
    let alphabet = Array(#"ab01()[]{}|*+?.^$\-,:idwsbBkxé"#)
    for _ in 0..<20_000 {
      let source = String(
        (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
          alphabet.randomElement(using: &generator)
        })
      let text = String((0..<8).compactMap { _ in alphabet.randomElement(using: &generator) })
      do throws(PatternError) {
        _ = try Pattern(source).isFound(in: text)
      } catch {
        #expect(error.position <= source.unicodeScalars.count + 1, "seed \(seed): \(source)")
      }
    }
  }
}
