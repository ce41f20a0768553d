/// A message with its templates parsed.
package struct MessageTemplate: Equatable, Sendable {
  let message: InAppMessage
  /// In the order of its texts; `nil` for a text without placeholders, and empty if there are none
  /// at all.
  private let templates: [Template?]

  /// Why a message has an invalid template.
  package struct Failure: Error {
    /// Where the text stands in the message, such as `body.header`.
    package let field: String
    package let error: TemplateError
  }

  /// Whether anything in it is filled in.
  var hasPlaces: Bool { !templates.isEmpty }

  /// The text that lacked a value, by its place among the message's texts.
  package struct Abortion: Error, Equatable {
    package let text: Int
  }

  /// Reads the texts of a message.
  package init(_ message: InAppMessage) throws(Failure) {
    self.message = message
    var templates: [Template?] = []
    _ = try message.changingTexts { (text, context, field) throws(Failure) in
      do throws(TemplateError) {
        let template = try Template(text, in: context)
        templates.append(template.hasPlaces ? template : nil)
      } catch { throw Failure(field: field(), error: error) }
      return text
    }
    self.templates = templates.contains { $0 != nil } ? templates : []
  }

  /// The message with its texts filled in.
  package func filled(with values: TemplateValues) throws(Abortion) -> InAppMessage {
    guard !templates.isEmpty else { return message }
    var place = 0
    var bytes = 0
    return try message.changingTexts { (text, _, _) throws(Abortion) in
      defer { place += 1 }
      guard let template = templates[place] else { return text }
      guard let filled = template.filled(with: values) else { throw Abortion(text: place) }
      bytes += filled.utf8.count
      guard bytes <= Template.longestResult else { throw Abortion(text: place) }
      return filled
    }
  }

  /// Where a text stands in the message, such as `body.header`.
  package func field(ofText wanted: Int) -> String? {
    var place = 0
    var result: String?
    _ = message.changingTexts { text, _, field in
      if place == wanted { result = field() }
      place += 1
      return text
    }
    return result
  }
}

extension InAppMessage {
  /// The message with each text that its author wrote changed, always in the same order.
  ///
  /// - Parameter change: takes a text, what it is part of, and where it stands in the message.
  func changingTexts<Failure: Error>(
    _ change: (String, Template.Context, _ field: () -> String) throws(Failure) -> String
  ) throws(Failure) -> InAppMessage {
    var message = self
    message.body = try body.changingTexts(change)
    message.clickAction = try clickAction?.changingTexts("clickAction", change)
    for place in message.buttons.indices {
      let field = "buttons[\(place)]"
      message.buttons[place].text = try change(buttons[place].text, .text) { "\(field).text" }
      message.buttons[place].clickAction = try buttons[place].clickAction.changingTexts(
        "\(field).clickAction", change)
    }
    for key in extras.keys.sorted() {
      message.extras[key] = try extras[key]?.changingTexts("extras.\(key)", change)
    }
    return message
  }
}

extension InAppMessage.Body {
  fileprivate func changingTexts<Failure: Error>(
    _ change: (String, Template.Context, _ field: () -> String) throws(Failure) -> String
  ) throws(Failure) -> InAppMessage.Body {
    switch self {
    case .text(var text):
      if let header = text.header { text.header = try change(header, .text) { "body.header" } }
      text.message = try change(text.message, .text) { "body.message" }
      switch text.graphic {
      case .image(let image):
        text.graphic = .image(try image.changingTexts("body.graphic", change))
      case .icon(let symbol):
        text.graphic = .icon(try change(symbol, .text) { "body.graphic" })
      case nil: break
      }
      text.landscapeImage = try text.landscapeImage?.changingTexts("body.landscapeImage", change)
      return .text(text)
    case .image(let image, let landscape):
      return .image(
        try image.changingTexts("body.image", change),
        landscape: try landscape?.changingTexts("body.landscape", change))
    case .html(var page):
      page.source = try change(page.source, .html) { "body.source" }
      if let url = page.baseURL { page.baseURL = try change(url, .url) { "body.baseURL" } }
      return .html(page)
    case .empty: return .empty
    }
  }
}

extension InAppMessage.Image {
  fileprivate func changingTexts<Failure: Error>(
    _ field: String,
    _ change: (String, Template.Context, _ field: () -> String) throws(Failure) -> String
  ) throws(Failure) -> InAppMessage.Image {
    var image = self
    image.url = try change(url, .url) { "\(field).url" }
    if let text = alternativeText {
      image.alternativeText = try change(text, .text) { "\(field).alternativeText" }
    }
    return image
  }
}

extension InAppMessage.ClickAction {
  fileprivate func changingTexts<Failure: Error>(
    _ field: String,
    _ change: (String, Template.Context, _ field: () -> String) throws(Failure) -> String
  ) throws(Failure) -> InAppMessage.ClickAction {
    switch self {
    case .close, .requestPushPermission, .session: return self
    case .open(let url, let inApp):
      return .open(url: try change(url, .url) { "\(field).url" }, inApp: inApp)
    case .deepLink(let url): return .deepLink(try change(url, .url) { "\(field).deepLink" })
    case .logEvent(let name, var properties):
      for key in properties.keys.sorted() {
        properties[key] = try properties[key]?.changingTexts("\(field).properties.\(key)", change)
      }
      return .logEvent(name: name, properties: properties)
    case .setAttribute(let key, let value):
      return .setAttribute(key: key, value: try value.changingTexts("\(field).value", change))
    case .sequence(let actions):
      var changed: [Self] = []
      for (place, action) in actions.enumerated() {
        changed.append(try action.changingTexts("\(field).sequence[\(place)]", change))
      }
      return .sequence(changed)
    }
  }
}

extension PropertyValue {
  fileprivate func changingTexts<Failure: Error>(
    _ field: String,
    _ change: (String, Template.Context, _ field: () -> String) throws(Failure) -> String
  ) throws(Failure) -> PropertyValue {
    switch self {
    case .string(let text): return .string(try change(text, .text) { field })
    case .list(let texts):
      var changed: [String] = []
      for text in texts { changed.append(try change(text, .text) { field }) }
      return .list(changed)
    case .number, .bool: return self
    }
  }
}
