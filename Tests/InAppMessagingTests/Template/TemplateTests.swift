import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct TemplateTests {
  private func filled(
    _ source: String, in context: Template.Context = .text,
    event: [String: PropertyValue] = [:], user: AttributeTable = [:],
    session: SessionID? = nil
  ) throws -> String? {
    try Template(source, in: context).filled(
      with: TemplateValues(
        event: .event(name: "play", properties: event), user: "ann", attributes: user,
        session: session))
  }

  // Proves: S10
  @Test(arguments: [
    "{{event.title | default: Video Content}}", "{{event.title|default:Video Content}}",
    "{{ event.title | default: 'Video Content' }}", #"{{event.title|default:"Video Content"}}"#,
    "{{  event.title  |  default  :  Video Content  }}",
  ])
  func `a default stands where there is no value`(source: String) throws {
    #expect(try filled("<\(source)>") == "<Video Content>")
    #expect(try filled("<\(source)>", event: ["title": .string("Heat")]) == "<Heat>")
    #expect(try filled("<\(source)>", event: ["title": .string("")]) == "<Video Content>")
  }

  // Proves: R-11
  @Test func `without a value and a default it comes to nothing`() throws {
    #expect(try filled("Watch {{event.title}}") == nil)
    #expect(try filled("{{event.title | upcase}}") == nil)
    #expect(try filled("{{user.name}}") == nil)
    #expect(try filled("{{session.id}}") == nil)
    #expect(try filled("{{event.title | default: ''}}") == "")
  }

  @Test func `values are of the event, the person and the session`() throws {
    let source = "{{event.title}} {{user.name}} {{user.id}} {{session.id}} {{event.name}}"
    #expect(
      try filled(
        source, event: ["title": .string("Heat")], user: ["name": .string("Ann")], session: "s1")
        == "Heat Ann ann s1 play")
    #expect(try filled("{{event.name}}", event: ["name": .string("x")]) == "x")
    #expect(try filled("{{event.a.b}}", event: ["a.b": .string("x")]) == "x")
  }

  @Test func `every value has a text`() throws {
    let event: [String: PropertyValue] = [
      "whole": .number(3), "part": .number(2.5), "yes": .bool(true), "list": .list(["a", "b"]),
      "large": .number(1e300),
    ]
    #expect(
      try filled("{{event.whole}} {{event.part}} {{event.yes}}", event: event) == "3 2.5 true")
    #expect(try filled("{{event.list}}", event: event) == "a, b")
    #expect(try filled("{{event.large}}", event: event) == "1e+300")
    #expect(try filled("{{event.list | upcase | join: ' / '}}", event: event) == "A / B")
    #expect(try filled("{{event.yes | upcase}}", event: event) == "true")
    #expect(try filled("{{event.none | default: X | downcase}}", event: event) == "x")
  }

  @Test func `braces alone are text, and a text can be written as a place`() throws {
    #expect(try filled("{ } }} {a}") == "{ } }} {a}")
    #expect(try filled("{{ '{{' }}x{{ \"}}\" }}") == "{{x}}")
    #expect(try filled("") == "")
  }

  @Test(arguments: [
    ("{{", 3), ("a {{event.x", 3), ("{{}}", 3), ("{{x}}", 3), ("{{page.x}}", 3), ("{{event.}}", 9),
    ("{{event.x | }}", 13), ("{{event.x | round}}", 13), ("{{event.x | default}}", 13),
    ("{{event.x | upcase: a}}", 13), ("{{event.x y}}", 11), ("{% if x %}", 1), ("{{'a}}", 3),
    ("{{ 'a' b}}", 8),
  ])
  func `what is not understood is refused, and where`(source: String, position: Int) {
    do throws(TemplateError) {
      _ = try Template(source)
      Issue.record("\(source) is understood")
    } catch { #expect(error.position == position, "\(source): \(error)") }
  }

  @Test func `in a URL a value stays in its place`() throws {
    let url = PropertyValue.string("https://cdn.example/a b")
    #expect(try filled("{{event.url}}", in: .url, event: ["url": url]) == nil)
    #expect(
      try filled("https://x.example/?u={{event.url}}", in: .url, event: ["url": url])
        == "https://x.example/?u=https%3A%2F%2Fcdn.example%2Fa%20b")
    #expect(
      try filled("{{event.url}}", in: .url, event: ["url": .string("https://a/b.m3u8?x=1&y")])
        == "https://a/b.m3u8?x=1&y")
    #expect(
      try filled("https://x/{{event.id}}/f", in: .url, event: ["id": .string("../../é#")])
        == "https://x/..%2F..%2F%C3%A9%23/f")
    // Browsers go up with dots alone, however they are written.
    for dots in [".", ".."] {
      for source in ["https://x/users/{{event.id}}/f", "{{event.id}}/{{event.id}}"] {
        #expect(try filled(source, in: .url, event: ["id": .string(dots)]) == nil)
      }
      #expect(
        try filled("https://x/?q={{event.id}}", in: .url, event: ["id": .string(dots)])
          == "https://x/?q=\(dots)")
    }
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:x", "data:text/html,x", "file:///etc/passwd", "vbscript:x",
    "java\tscript:x", " javascript:x", "blob:x",
  ])
  func `a URL that does harm comes to nothing`(url: String) throws {
    #expect(try filled("{{event.url}}", in: .url, event: ["url": .string(url)]) == nil)
    #expect(throws: TemplateError.self) { try Template(url, in: .url) }
    #expect(try filled("{{event.url}}", event: ["url": .string(url)]) == url)
  }

  @Test func `in HTML a value becomes no tag`() throws {
    #expect(
      try filled(
        "<b title='{{event.t}}'>{{event.t}}</b>", in: .html,
        event: ["t": .string("<script>'\"`&")])
        == "<b title='&lt;script&gt;&#39;&quot;&#96;&amp;'>&lt;script&gt;&#39;&quot;&#96;&amp;</b>")
  }

  @Test func `what is filled in has a bound`() throws {
    let long = PropertyValue.string(String(repeating: "x", count: 8_000))
    #expect(try filled(String(repeating: "{{event.t}}", count: 8), event: ["t": long]) != nil)
    #expect(try filled(String(repeating: "{{event.t}}", count: 9), event: ["t": long]) == nil)
    #expect(throws: TemplateError.self) {
      try Template(String(repeating: "{{event.t}} ", count: 65))
    }
  }

  // Proves: R-11
  @Test func `a symbol is filled in, too`() throws {
    var message = InAppMessage.sample("Hello")
    message.body = .text(.init("Hello", graphic: .icon("{{event.symbol | default: 🎬}}")))
    var person = try Person([.sample("m") { $0.variants[0].content = .message(message) }])
    for (symbol, filled) in [(nil, "🎬"), ("★", "★")] as [(String?, String)] {
      try person.log("go", ["symbol": .string(symbol ?? "")])
      guard case .text(let text)? = person.delivered.last?.message.body else {
        Issue.record("nothing is delivered")
        return
      }
      #expect(text.graphic == .icon(filled))
      try person.watch()
    }
  }

  // Proves: R-11
  @Test func `every text of a message is filled in`() throws {
    let place = "{{event.v}}"
    var message = InAppMessage(
      id: "", kind: .modal,
      body: .text(
        .init(
          place, header: place, graphic: .image(.init(url: place, alternativeText: place)),
          landscapeImage: .init(url: place))))
    message.clickAction = .open(url: place, inApp: true)
    message.buttons = [
      .init(
        id: "1", text: place, clickAction: .logEvent(name: "n", properties: ["p": .string(place)])),
      .init(
        id: "2", text: "x",
        clickAction: .sequence([.setAttribute(key: "k", value: .list([place])), .deepLink(place)])),
    ]
    message.extras = ["video_url": .string(place), "n": .number(1)]
    var person = try Person([.sample("m") { $0.variants[0].content = .message(message) }])
    try person.log("go", ["v": .string("https://x/V")])
    let filled = "\(try #require(person.delivered.first).message)"
    #expect(!filled.contains("{{"))
    #expect(filled.split(separator: "https://x/V", omittingEmptySubsequences: false).count == 12)
    let extras = try #require(person.delivered.first).message.extras
    #expect(extras == ["video_url": .string("https://x/V"), "n": .number(1)])
    #expect(try person.log("go", [:]) == [])
    try person.watch()
    #expect(try person.log("go", [:]) == [])
    #expect(person.refusal("m") == .aborted)
  }
}
