import Foundation
import FoundationXML
import Scenarios
import Testing
import Vocabulary

@testable import Stages

/// How far players are apart, as a picture.
@Suite struct PlotTests {
  private static let plot = Plot(
    title: "together: <a> & \"b\"",
    lines: [
      .init(name: "ann", stretches: [wave(0..<200, 4), wave(300..<400, 4)]),
      .init(name: "ben & co", stretches: [wave(0..<400, -6)]),
    ],
    marks: [
      .init(seconds: 0.5, text: "ann: play"), .init(seconds: 0.6, text: "ben: seek 40"),
      .init(seconds: 3.9, text: "ann: pause"), .init(seconds: 9, text: "ann: leave"),
    ])

  /// Points every 10 ms with this offset.
  private static func wave(_ range: Range<Int>, _ offset: Double) -> [Plot.Point] {
    range.map { Plot.Point(seconds: Double($0) / 100, offset: offset) }
  }

  // MARK: Scales

  @Test(arguments: [
    (0.0...1.0, 10, 0.1), (0...1.01, 10, 0.2), (0...33, 12, 5), (-13...13, 8, 5),
    (-640...640, 8, 200), (0...0.03, 5, 0.01), (0...10, 10, 1), (3...3, 5, 0.2),
  ])
  func `ticks are 1, 2 or 5 times a power of ten apart`(
    range: ClosedRange<Double>, steps: Int, step: Double
  ) {
    let scale = PlotScale(range, from: 0, to: 100, steps: steps)
    #expect(abs(scale.step - step) < 1e-9)
    #expect(scale.ticks.count <= steps + 1)
    #expect(scale.ticks.allSatisfy { (-0.01...100.01).contains(scale.place(of: $0)) })
  }

  @Test func `ticks say as many digits as the step needs`() {
    let tenths = PlotScale(-0.3...0.3, from: 0, to: 1, steps: 6)
    #expect(tenths.ticks.map(tenths.text) == ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"])
    let tens = PlotScale(-25...25, from: 0, to: 1, steps: 5)
    #expect(tens.ticks.map(tens.text) == ["−20", "−10", "0", "10", "20"])
  }

  @Test func `numbers go to their places, also downwards`() {
    let scale = PlotScale(-10...10, from: 300, to: 100, steps: 4)
    #expect(scale.place(of: -10) == 300)
    #expect(scale.place(of: 0) == 200)
    #expect(scale.place(of: 10) == 100)
  }

  // MARK: The file

  @Test func `it is XML with a title, a description, and no script`() throws {
    let picture = try Picture(Self.plot.svg)
    #expect(picture.names.first == "svg")
    #expect(picture.text(of: "title") == "together: <a> & \"b\"")
    #expect(picture.text(of: "desc")?.contains("ann, ben & co") == true)
    #expect(!picture.names.contains("script"))
    #expect(picture.text(of: "style")?.contains("prefers-color-scheme: dark") == true)
  }

  @Test func `every player has a line, cut where its position is unknown, and an entry below`()
    throws
  {
    let picture = try Picture(Self.plot.svg)
    let lines = picture.paths(of: "line")
    // Each once in the plot and once in the legend.
    #expect(lines.count == 4)
    #expect(lines[0].count { $0 == "M" } == 2)
    #expect(lines[1].count { $0 == "M" } == 1)
    #expect(picture.texts.contains("ann") && picture.texts.contains("ben & co"))
  }

  @Test func `presses in the time shown are marked, and no label covers another`() throws {
    let picture = try Picture(Self.plot.svg)
    #expect(picture.paths(of: "mark").count == 3)
    #expect(!picture.texts.contains("ann: leave"))
    let rows = ["ann: play", "ben: seek 40"].compactMap { picture.place(of: $0)?.y }
    #expect(rows.count == 2 && rows[0] < rows[1])
    // At the right edge it stands before its line.
    #expect(picture.style(of: "ann: pause") == "end")
  }

  @Test func `everything stands within the picture`() throws {
    let picture = try Picture(Self.plot.svg)
    let (width, height) = picture.size
    for text in picture.texts {
      guard let place = picture.place(of: text) else { continue }
      #expect((0...width).contains(place.x) && (0...height).contains(place.y), "\(text)")
    }
  }

  @Test func `a jump of seconds does not flatten the rest, and is told`() throws {
    var plot = Self.plot
    plot.lines[0].stretches.append([.init(seconds: 4, offset: -2950)])
    #expect(plot.reach < 20)
    #expect(try Picture(plot.svg).texts.contains { $0.contains("as far as 2950 ms") })
    #expect(try !Picture(Self.plot.svg).texts.contains { $0.contains("as far as") })
  }

  @Test func `players that are close are not drawn as if they were far apart`() {
    var plot = Self.plot
    plot.lines = [.init(name: "ann", stretches: [Self.wave(0..<100, 0.2)])]
    #expect(plot.reach == 10)
  }

  // MARK: From players

  private static func report(
    _ players: [String: [(at: Double, position: Double)]], _ entries: [TimelineEntry] = []
  ) -> ScenarioReport {
    ScenarioReport(
      scenario: "evening", entries: entries, duration: .seconds(4),
      looks: players.mapValues { looks in
        looks.map { .init(at: .seconds($0.at), position: .seconds($0.position)) }
      })
  }

  private static func running(
    _ offset: Double, from first: Int = 0, to last: Int = 200
  ) -> [(at: Double, position: Double)] {
    (first...last).map { (Double($0) / 50, 10 + Double($0) / 50 + offset) }
  }

  @Test func `a player is drawn as far ahead of the middle of all as it is`() throws {
    let report = Self.report([
      "ann": Self.running(0), "ben": Self.running(-0.004), "cat": Self.running(0.012),
    ])
    let plot = try #require(Plot(of: report, from: HostTime(microseconds: 0), [:]))
    #expect(plot.lines.map(\.name) == ["ann", "ben", "cat"])
    for (line, offset) in zip(plot.lines, [0.0, -4, 12]) {
      #expect(line.stretches.count == 1)
      #expect(line.stretches.joined().allSatisfy { abs($0.offset - offset) < 0.01 })
    }
  }

  @Test func `who comes late has a line from then on, and one alone has none`() throws {
    let late = Self.report(["ann": Self.running(0), "ben": Self.running(0, from: 100)])
    let plot = try #require(Plot(of: late, from: HostTime(microseconds: 7), [:]))
    #expect(plot.lines.allSatisfy { $0.stretches.joined().allSatisfy { $0.seconds >= 2 } })
    let alone = Self.report(["ann": Self.running(0)])
    #expect(Plot(of: alone, from: HostTime(microseconds: 0), [:]) == nil)
  }

  @Test func `what people and the server did is marked, and what was seen is not`() throws {
    let report = Self.report(
      ["ann": Self.running(0), "ben": Self.running(0)],
      [
        .init(at: .seconds(1), peers: ["ann", "ben"], .did("play")),
        .init(at: .seconds(2), peers: ["ann"], .saw("playing")),
        .init(at: .seconds(3), peers: ["server"], .did("kill")),
      ])
    let plot = try #require(Plot(of: report, from: HostTime(microseconds: 0), [:]))
    #expect(
      plot.marks == [
        .init(seconds: 1, text: "ann ben: play"), .init(seconds: 3, text: "server: kill"),
      ])
  }
}

/// An SVG file, read back.
private final class Picture: NSObject, XMLParserDelegate {
  private struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""
  }

  private var elements: [Element] = []
  private var open: [Int] = []

  struct NoXML: Error {}

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { throw NoXML() }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  var names: [String] { elements.map(\.name) }
  var texts: [String] { elements.filter { $0.name == "text" }.map(\.text) }

  var size: (width: Double, height: Double) {
    let box = elements[0].attributes["viewBox"]?.split(separator: " ").compactMap { Double($0) }
    return box.map { ($0[2], $0[3]) } ?? (0, 0)
  }

  func text(of name: String) -> String? { elements.first { $0.name == name }?.text }

  func paths(of style: String) -> [String] {
    elements.filter {
      $0.name == "path" && $0.attributes["class"]?.split(separator: " ").first == style[...]
    }.compactMap { $0.attributes["d"] }
  }

  func style(of text: String) -> String? {
    elements.first { $0.name == "text" && $0.text == text }?.attributes["class"]
  }

  func place(of text: String) -> (x: Double, y: Double)? {
    let element = elements.first { $0.name == "text" && $0.text == text }
    guard let x = element?.attributes["x"], let y = element?.attributes["y"] else { return nil }
    return Double(x).flatMap { x in Double(y).map { (x, $0) } }
  }
}
