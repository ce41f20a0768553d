/// A message whose texts are templates, read.
package struct MessageTemplate: Equatable, Sendable {
  let message: InAppMessage
  /// By the order of its texts; `nil` where nothing is filled in, and empty if nothing is at all.
  private let templates: [Template?]

  /// Why a message is none.
  package struct Failure: Error {
    /// Where the text stands in the message, such as `body.header`.
    package let field: String
    package let error: TemplateError
  }

  /// Whether anything in it is filled in.
  var hasPlaces: Bool { !templates.isEmpty }

  /// Which text came to nothing, by the order of the message's texts.
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
