import InAppMessaging
import YAML

/// What the views that Matinee knows by `view_type` need of a message's extras.
///
/// An app's own view types are let through: only the app knows what they need.
struct ViewSchema {
  private let message: InAppMessage
  private let fields: Fields

  init(_ message: InAppMessage, _ fields: Fields) {
    self.message = message
    self.fields = fields
  }

  func check() {
    guard let type = message.extras["view_type"] else { return }
    guard let name = type.string else {
      return complain("`view_type` is no text", "put it in quotation marks")
    }
    switch name {
    case "video": checkVideo()
    case "picker", "table_list": checkList(name)
    default: break
    }
  }

  private func checkVideo() {
    guard let value = message.extras["video_url"] else {
      return complain(
        "a message with a video has no `video_url`",
        "add it to the extras, such as video_url: \"{{event.url}}\"")
    }
    guard let url = value.string else {
      return complain("`video_url` is no text", "put it in quotation marks")
    }
    guard !TemplateCheck.isTemplate(url), let extras = fields["extras"] else { return }
    let node = extras.value(of: "video_url") ?? extras
    _ = fields.findings.note { () throws(FileError) in try node.url(["https", "http"]) }
  }

  /// Both read what there is to choose from out of the message, and set an attribute.
  private func checkList(_ name: String) {
    guard let key = message.extras["attribute_key"]?.string, !key.isEmpty else {
      return complain(
        "a message with the view \(name) has no `attribute_key`",
        "add it to the extras: the attribute that is set to what a person chooses")
    }
    guard case .text(let text) = message.body, !TemplateCheck.isTemplate(text.message) else {
      return
    }
    let items = text.message.split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
    if items.isEmpty {
      complain(
        "there is nothing to choose from", "write it as the message, such as `Drama, Comedy`")
    }
  }

  private func complain(_ problem: String, _ advice: String) {
    fields.findings.add(fields.place(of: "extras").error(problem, advice))
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
