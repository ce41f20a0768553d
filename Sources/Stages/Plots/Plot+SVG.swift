extension Plot {
  /// The picture as a file: SVG without scripts, whose colours follow the reader's choice of light
  /// or dark.
  package var svg: String { Drawing(self).text }
}

/// A plot on its way to SVG (https://www.w3.org/TR/SVG2/).
private struct Drawing {
  private let plot: Plot
  private let labels: [Label]
  private let across: PlotScale
  private let up: PlotScale
  private let top: Double

  private static let width = 960.0
  private static let (left, right) = (72.0, 940.0)
  private static let plotHeight = 300.0
  private static let titleHeight = 52.0
  private static let rowHeight = 16.0
  private static let footHeight = 84.0
  /// The mean width of a letter of the labels.
  private static let letterWidth = 6.2
  private static let labelGap = 10.0
  /// The lines' patterns, for who does not tell the colours apart.
  private static let dashes = ["", "8 3", "2 3", "10 3 2 3", "5 2"]

  /// A mark's text, in a row above the lines in which it has room.
  private struct Label {
    let mark: Plot.Mark
    let x: Double
    let row: Int
    let isBeforeLine: Bool
  }

  init(_ plot: Plot) {
    self.plot = plot
    across = PlotScale(plot.span, from: Self.left, to: Self.right, steps: 12)
    labels = Self.labels(plot.marks.filter { plot.span.contains($0.seconds) }, across)
    let rows = (labels.map(\.row).max() ?? -1) + 1
    top = Self.titleHeight + Double(rows) * Self.rowHeight + 8
    up = PlotScale(-plot.reach...plot.reach, from: top + Self.plotHeight, to: top, steps: 8)
  }

  private static func labels(_ marks: [Plot.Mark], _ across: PlotScale) -> [Label] {
    var ends: [Double] = []
    return marks.map { mark in
      let x = across.place(of: mark.seconds)
      let width = Double(mark.text.count) * letterWidth
      let isBeforeLine = x + width > right
      let start = isBeforeLine ? x - width : x
      let row = ends.firstIndex { $0 <= start } ?? ends.count
      if row == ends.count { ends.append(0) }
      ends[row] = start + width + labelGap
      return Label(mark: mark, x: x, row: row, isBeforeLine: isBeforeLine)
    }
  }

  private var bottom: Double { top + Self.plotHeight }
  private var height: Double { bottom + Self.footHeight }

  var text: String {
    let size = "\(Int(Self.width)) \(Int(height))"
    let parts =
      [
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img" \
        aria-labelledby="title desc">
        """,
        #"<title id="title">\#(escaped(plot.title))</title>"#,
        #"<desc id="desc">\#(escaped(description))</desc>"#,
        Self.style,
        #"<rect class="ground" width="100%" height="100%" rx="8"/>"#,
        #"<text class="title" x="16" y="30">\#(escaped(plot.title))</text>"#,
      ] + axes + marks + lines + legend
    return parts.joined(separator: "\n") + "\n</svg>\n"
  }

  private var description: String {
    "How far \(plot.lines.map(\.name).joined(separator: ", ")) are ahead of the middle of all, in "
      + "milliseconds, over \(Int((plot.span.upperBound - plot.span.lowerBound).rounded())) seconds."
  }

  // MARK: Parts

  private var axes: [String] {
    let ups = up.ticks.flatMap { tick in
      let y = number(up.place(of: tick))
      return [
        #"<path class="\#(tick == 0 ? "zero" : "grid")" d="M\#(number(Self.left)) \#(y)H\#(number(Self.right))"/>"#,
        #"<text class="end" x="\#(number(Self.left - 8))" y="\#(y)" dy="4">\#(up.text(of: tick))</text>"#,
      ]
    }
    let downs = across.ticks.flatMap { tick in
      let x = number(across.place(of: tick))
      return [
        #"<path class="grid" d="M\#(x) \#(number(bottom))v5"/>"#,
        #"<text class="middle" x="\#(x)" y="\#(number(bottom + 18))">\#(across.text(of: tick))</text>"#,
      ]
    }
    let middle = number(top + Self.plotHeight / 2)
    return ups + downs + [
      #"<text class="middle" transform="translate(18 \#(middle)) rotate(-90)">ms ahead of the middle</text>"#,
      #"<text class="end" x="\#(number(Self.right))" y="\#(number(bottom + 36))">s since the beginning</text>"#,
    ]
  }

  private var marks: [String] {
    labels.flatMap { label in
      let x = number(label.x)
      let y = Self.titleHeight + Double(label.row) * Self.rowHeight
      let place = #"x="\#(number(label.x + (label.isBeforeLine ? -3 : 3)))" y="\#(number(y + 4))""#
      return [
        #"<path class="mark" d="M\#(x) \#(number(y - 8))V\#(number(bottom))"/>"#,
        #"<text class="\#(label.isBeforeLine ? "end" : "begin")" \#(place)>\#(escaped(label.mark.text))</text>"#,
      ]
    }
  }

  private var lines: [String] {
    let box =
      #"x="\#(number(Self.left))" y="\#(number(top))" width="\#(number(Self.right - Self.left))" height="\#(number(Self.plotHeight))""#
    let paths = plot.lines.enumerated().map { index, line in
      #"<path \#(look(index)) d="\#(line.stretches.map(path).joined())"/>"#
    }
    return [#"<clipPath id="box"><rect \#(box)/></clipPath>"#, #"<g clip-path="url(#box)">"#]
      + paths + ["</g>"]
  }

  private func path(_ stretch: [Plot.Point]) -> String {
    stretch.enumerated().map { index, point in
      let (x, y) = (across.place(of: point.seconds), up.place(of: point.offset))
      return "\(index == 0 ? "M" : "L")\(number(x)) \(number(y))"
    }.joined()
  }

  private var legend: [String] {
    let y = bottom + 60
    var x = Self.left
    var parts: [String] = []
    for (index, line) in plot.lines.enumerated() {
      parts += [
        #"<path \#(look(index)) d="M\#(number(x)) \#(number(y))h28"/>"#,
        #"<text class="begin" x="\#(number(x + 36))" y="\#(number(y))" dy="4">\#(escaped(line.name))</text>"#,
      ]
      x += 60 + Double(line.name.count) * Self.letterWidth * 1.2
    }
    guard plot.farthest > plot.reach else { return parts }
    let note = "Lines that leave the picture go as far as \(Int(plot.farthest.rounded())) ms."
    return parts + [
      #"<text class="end" x="\#(number(Self.right))" y="\#(number(y))" dy="4">\#(note)</text>"#
    ]
  }

  private func look(_ index: Int) -> String {
    let dash = Self.dashes[index % Self.dashes.count]
    let pattern = dash.isEmpty ? "" : #" stroke-dasharray="\#(dash)""#
    return #"class="line line\#(index % Self.dashes.count)"\#(pattern)"#
  }

  /// The colours are those of Okabe and Ito (https://jfly.uni-koeln.de/color), which people with
  /// colour blindness tell apart, lighter on a dark ground.
  private static let style = """
    <style>
    svg { font: 12px system-ui, sans-serif; }
    .ground { fill: #ffffff; }
    text { fill: #3b4048; }
    .title { font-size: 16px; font-weight: 600; fill: #15181e; }
    .middle { text-anchor: middle; }
    .end { text-anchor: end; }
    path { fill: none; }
    .grid { stroke: #d9dce1; }
    .zero { stroke: #8b919b; }
    .mark { stroke: #8b919b; stroke-dasharray: 2 3; }
    .line { stroke-width: 1.75; stroke-linejoin: round; }
    .line0 { stroke: #0072b2; }
    .line1 { stroke: #c04a00; }
    .line2 { stroke: #007a5a; }
    .line3 { stroke: #a8487c; }
    .line4 { stroke: #5b5b00; }
    @media (prefers-color-scheme: dark) {
    .ground { fill: #15181e; }
    text { fill: #c3c8d0; }
    .title { fill: #f2f4f7; }
    .grid { stroke: #2c323b; }
    .zero, .mark { stroke: #6f7782; }
    .line0 { stroke: #56b4e9; }
    .line1 { stroke: #f0a04b; }
    .line2 { stroke: #3fd0a0; }
    .line3 { stroke: #ea9cc8; }
    .line4 { stroke: #f0e442; }
    }
    </style>
    """
}

/// A coordinate with a tenth of a pixel.
private func number(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return tenths % 10 == 0 ? String(tenths / 10) : String(Double(tenths) / 10)
}

/// A text for XML, without the characters that it cannot hold (https://www.w3.org/TR/xml/#charsets).
private func escaped(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.filter { $0.properties.generalCategory != .control })
  )
  .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
}
