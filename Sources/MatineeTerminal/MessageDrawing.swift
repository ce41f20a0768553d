package import InAppMessaging

/// The contents of a ``MessagePanel``, inside the border.
package struct MessageDrawing {
  private let message: InAppMessage
  private let view: DrawnView
  private let width: Int
  /// Braze's slideup shows at most this many lines of text.
  private static let slideupLines = 3

  package init(_ message: InAppMessage, _ view: DrawnView, width: Int) {
    self.message = message
    self.view = view
    self.width = width
  }

  /// The texts and choices, which may scroll.
  ///
  /// Empty lines separate the parts, except in a message at an edge, where space is scarce.
  package var content: [StyledLine] { spaced(bodyParts + [viewLines], isFirst: true) }

  /// The buttons, which stay visible below the content.
  package var buttons: [StyledLine] { spaced([buttonLines], isFirst: content.isEmpty) }

  /// The line of ``content`` that must be visible, because its item is selected.
  package var chosenLine: Int? {
    guard case .picker(let items, let chosen?) = view, items.indices.contains(chosen) else {
      return nil
    }
    let before = items.prefix(chosen).flatMap { marked($0, "( )") }
    return content.count - viewLines.count - (isAtEdge ? 0 : 1) + before.count
  }

  private func spaced(_ parts: [[StyledLine]], isFirst: Bool) -> [StyledLine] {
    let parts = parts.filter { !$0.isEmpty }
    if isAtEdge { return parts.flatMap { $0 } }
    return (isFirst ? [StyledLine("")] : []) + parts.flatMap { $0 + [StyledLine("")] }
  }

  private var isAtEdge: Bool {
    if case .edge = message.surface { true } else { false }
  }

  // MARK: Body

  private var bodyParts: [[StyledLine]] {
    switch message.body {
    case .text(let text): textParts(text)
    case .image(let image, landscape: _): [imageLines(image)]
    case .html(let page): htmlParts(page)
    case .empty: []
    }
  }

  private func textParts(_ text: InAppMessage.Text) -> [[StyledLine]] {
    var graphic: [StyledLine] = []
    switch text.graphic {
    case .icon(let icon): graphic = aligned(icon, .plain, .center)
    case .image(let image): graphic = imageLines(image)
    case nil: break
    }
    // The video view already shows the title.
    let isRepeated = if case .video(text.header, _) = view { true } else { false }
    let header = aligned(isRepeated ? "" : text.header ?? "", .bold, text.headerAlignment)
    let said = view.takesText ? "" : text.message.trimmingSpaces
    var words = aligned(said, .plain, text.messageAlignment)
    if message.kind == .slideup, words.count > Self.slideupLines {
      words = Array(words.prefix(Self.slideupLines))
      let last = words[words.count - 1].text[...].prefix(columns: width - 1)
      words[words.count - 1] = StyledLine("\(last)…")
    }
    if isAtEdge, message.clickAction != nil, let last = words.last ?? header.last,
      last.columns <= width - 2
    {
      let line = last + .space(width - 1 - last.columns) + StyledLine("›")
      if words.isEmpty { return [graphic, header.dropLast() + [line]] }
      words[words.count - 1] = line
    }
    return [graphic, header, words]
  }

  /// An image is drawn as its alternative text, or else as its file name.
  private func imageLines(_ image: InAppMessage.Image) -> [StyledLine] {
    let name = image.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last
    let text = image.alternativeText ?? name.map(String.init) ?? ""
    return aligned("[image: \(text)]", .dim, .center)
  }

  private func htmlParts(_ page: InAppMessage.Page) -> [[StyledLine]] {
    [
      aligned("a page, drawn only where there is a browser", .dim, .center),
      aligned(PlainHTML(page.source).text, .plain, .leading),
    ]
  }

  // MARK: Views

  private var viewLines: [StyledLine] {
    switch view {
    case .none: []
    case .video(let title, let url):
      aligned("▶ \(title)", .bold, .center) + (url == title ? [] : aligned(url, .dim, .center))
    case .picker(let items, let chosen):
      items.enumerated().flatMap { marked($0.element, $0.offset == chosen ? "(•)" : "( )") }
    case .switches(let switches):
      switches.flatMap { marked($0.text, $0.isOn ? "[x]" : "[ ]") }
    }
  }

  private func marked(_ text: String, _ mark: String) -> [StyledLine] {
    text.wrapped(to: width - 4).enumerated().map { number, line in
      StyledLine((number == 0 ? mark : "   ") + " " + line)
    }
  }

  // MARK: Buttons

  /// The buttons in reading order, the primary one in bold; stacked if they do not fit in one row.
  private var buttonLines: [StyledLine] {
    let buttons = message.buttons.prefix(2).enumerated().map { place, button in
      let isPrimary = place == message.buttons.prefix(2).count - 1
      let text = button.text.withoutControls.trimmingSpaces[...].prefix(columns: width - 4)
      return StyledLine("[ \(text) ]", isPrimary ? .bold : .plain)
    }
    guard let first = buttons.first else { return [] }
    let row = buttons.dropFirst().reduce(first) { $0 + .space(2) + $1 }
    return (row.columns <= width ? [row] : buttons).map { .space((width - $0.columns) / 2) + $0 }
  }

  // MARK: Alignment

  private func aligned(
    _ text: String, _ style: TextStyling.Style, _ alignment: InAppMessage.TextAlignment
  ) -> [StyledLine] {
    guard !text.isEmpty else { return [] }
    return text.wrapped(to: width).map { line in
      let rest = width - line.columns
      let before =
        switch isAtEdge ? .leading : alignment {
        case .center: rest / 2
        case .leading: isRightToLeft ? rest : 0
        case .trailing: isRightToLeft ? 0 : rest
        }
      return .space(before) + StyledLine(line, style)
    }
  }

  /// Whether the message's language is written from right to left.
  private var isRightToLeft: Bool {
    let language = message.language?.split(separator: "-").first?.lowercased() ?? ""
    return ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(language)
  }
}

/// What a custom view shows below a message's texts, and what is selected in it.
package enum DrawnView: Equatable, Sendable {
  /// No custom view.
  case none
  /// A choice of one item; nothing is selected at first.
  case picker([String], chosen: Int?)
  /// Switches and whether each is on; all are on at first.
  case switches([Switch])
  case video(title: String, url: String)

  package struct Switch: Equatable, Sendable {
    package var text: String
    package var isOn: Bool
  }

  /// The view that a message's `view_type` names; `none` for unknown types.
  package init(_ message: InAppMessage) {
    switch ViewRegistry.view(namedIn: message.extras).flatMap(ShippedView.init(rawValue:)) {
    case .video:
      self = VideoView(message).map { .video(title: $0.title, url: $0.url) } ?? .none
    case .picker: self = .picker(ItemList(message).items, chosen: nil)
    case .tableList:
      self = .switches(ItemList(message).items.map { Switch(text: $0, isOn: true) })
    case .permission, nil: self = .none
    }
  }

  /// Whether the message's text is the view's list and is not shown as text.
  package var takesText: Bool {
    switch self {
    case .picker, .switches: true
    case .none, .video: false
    }
  }
}
