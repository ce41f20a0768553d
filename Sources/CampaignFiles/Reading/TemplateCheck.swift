import InAppMessaging
import YAML

/// The one place where templates in campaign files are looked through.
enum TemplateCheck {
  /// Throws what is wrong with the templates in a text.
  static func check(_ text: String, in context: Template.Context) throws(PhraseError) {
    do throws(TemplateError) {
      _ = try Template(text, in: context)
    } catch {
      throw PhraseError("the template is not understood, \(error)", "correct it there")
    }
  }

  /// Whether there is one in it, so that what it will say is not known yet.
  static func isTemplate(_ text: String) -> Bool { text.contains("{{") }
}
