import InAppMessaging
import YAML

/// Checks a message's view as clients would.
///
/// The requirements are the clients' own. The results of templates are unknown here; the server
/// checks them when it makes the message.
struct ViewCheck {
  private let message: InAppMessage
  private let fields: MappingFields

  init(_ message: InAppMessage, _ fields: MappingFields) {
    self.message = message
    self.fields = fields
  }

  func check() {
    guard let type = message.extras[ViewRegistry.typeKey] else { return }
    guard let name = type.string else {
      return complain(
        "`\(ViewRegistry.typeKey)` is no text", "put it in quotation marks", ViewRegistry.typeKey)
    }
    guard !TemplateCheck.isTemplate(name), name != ViewRegistry.defaultView else { return }
    guard let view = ShippedView(rawValue: name) else { return doubt(unknown: name) }
    let requirements = view.requirements
    for field in requirements.fields where !isTemplate(message.extras[field.key]) { check(field) }
    if let separation = requirements.items { checkItems(requirements, separation) }
  }

  private func check(_ field: MessageViewRequirements.Field) {
    if let fault = field.fault(in: message.extras, media: .authors) {
      complain("\(fault)", advice(about: fault), field.key)
    } else if let fault = field.fault(in: message.extras, media: MediaURLGuard().forCampaigns) {
      doubt(
        "\(fault), and is played only where an app allows that", advice(about: fault), field.key)
    }
  }

  private func checkItems(_ requirements: MessageViewRequirements, _ separation: ItemSeparation) {
    if !isTemplate(message.extras[ItemList.key]), ItemList(message).attributeKey == nil {
      doubt(
        "the choice is kept nowhere, and so cannot be submitted",
        "add `\(ItemList.key)` to the extras: the attribute that is set to it", ItemList.key)
    }
    if case .text(let text) = message.body, TemplateCheck.isTemplate(text.message) { return }
    if let fault = requirements.itemsFault(of: message) {
      return complain("\(fault)", advice(about: fault), "message")
    }
    let items = ItemList(message, separation).items
    if items.count == 1, ItemList(message, .lenient).items.count > 1 {
      doubt(
        "`\(items[0])` is one item to clients", "write a space behind each comma that parts two",
        "message")
    }
  }

  private func isTemplate(_ value: PropertyValue?) -> Bool {
    value?.string.map(TemplateCheck.isTemplate) ?? false
  }

  private func advice(about fault: ContentFault) -> String {
    switch fault {
    case .missing(let key): "add it to the extras, such as \(key): \"{{event.url}}\""
    case .wrongType: "put it in quotation marks"
    case .video: "write a URL such as https://example.org/film.mp4"
    case .noItems: "write them as the message, such as `Drama, Comedy`"
    case .noImage, .noText, .link: "give the message one that is in order"
    }
  }

  // MARK: Telling

  private func complain(_ problem: String, _ advice: String, _ key: String) {
    fields.findings.add(place(of: key).error(problem, advice))
  }

  private func doubt(_ problem: String, _ advice: String, _ key: String) {
    fields.findings.doubt(CampaignWarning(place(of: key).error(problem, advice)))
  }

  private func doubt(unknown view: String) {
    let known = suggestion(for: view, ShippedView.allCases.map(\.rawValue))
    let error = place(of: ViewRegistry.typeKey).error(
      "no view that comes along is called `\(view)`, and a client without it shows the default one",
      "\(known); or tell `campaigns check` that the app has it, with --views")
    fields.findings.doubt(CampaignWarning(error, view: view))
  }

  /// The place of an extra, or of another part of the message.
  private func place(of key: String) -> FileNode {
    if let extra = fields["extras"]?.value(of: key) { return extra }
    return fields.has(key) ? fields.place(of: key) : fields.place(of: "extras")
  }
}

extension FileNode {
  /// The value of a key of a mapping.
  fileprivate func value(of key: String) -> FileNode? {
    do throws(FileError) {
      return try pairs("this").first { $0.key.scalar == key }?.value
    } catch { return nil }
  }
}

/// Checks the templates in campaign files.
enum TemplateCheck {
  /// Throws the first mistake in a text's templates.
  static func check(_ text: String, in context: Template.Context) throws(PhraseError) {
    do throws(TemplateError) {
      _ = try Template(text, in: context)
    } catch {
      throw PhraseError("the template is not understood, \(error)", "correct it there")
    }
  }

  /// Whether a text has a template, so that its result is unknown.
  static func isTemplate(_ text: String) -> Bool { text.contains("{{") }
}
