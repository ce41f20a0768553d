import InAppMessaging
import Vocabulary

/// What the templates of a preview are filled with.
struct PreviewValues {
  /// The session that a message belongs to, where its campaign has them belong to one.
  static let session = SessionID("preview")

  private let values: TemplateValues

  /// Values; of a key that is given twice, the last counts.
  init(event: [PropertyArgument], user: [PropertyArgument]) {
    let properties = Dictionary(event.map { ($0.key, $0.value) }) { $1 }
    var attributes = AttributeTable()
    for argument in user { attributes[argument.key] = argument.value }
    values = TemplateValues(
      event: .event(name: "preview", properties: properties), user: UserID("preview"),
      attributes: attributes, session: Self.session)
  }

  /// A text that came to nothing.
  struct Unfilled: Error {
    /// Where it stands in the message, such as `body.header`.
    let field: String
  }

  /// The message as a person would get it.
  func filled(_ message: InAppMessage) throws(Unfilled) -> InAppMessage {
    let template: MessageTemplate
    do throws(MessageTemplate.Failure) { template = try MessageTemplate(message) } catch {
      throw Unfilled(field: error.field)
    }
    do throws(MessageTemplate.Abortion) { return try template.filled(with: values) } catch {
      throw Unfilled(field: template.field(ofText: error.text) ?? "message")
    }
  }
}
