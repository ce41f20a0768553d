import Foundation
import InAppMessaging
import YAML

extension FileNode {
  /// A URL of one of these schemes, with a host; one that a template completes is looked at as far
  /// as it is written.
  func url(_ schemes: [String]) throws(FileError) -> String {
    let text = try text("a URL", atMost: CampaignBounds.urlBytes)
    let advice = "write a URL such as \(schemes[0])://example.org/cinema.png"
    if TemplateCheck.isTemplate(text) {
      let isOpen = text.hasPrefix("{") || schemes.contains { text.hasPrefix("\($0)://") }
      guard isOpen else { throw error("`\(text)` is no \(schemes[0]) URL", advice) }
      return text
    }
    guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme,
      let host = url.host(), !host.isEmpty
    else { throw error("`\(text)` is no URL", advice) }
    guard schemes.contains(scheme.lowercased()) else {
      throw error(
        "`\(text)` is no \(schemes.joined(separator: " or ")) URL",
        "write \(schemes[0])://, or put it where that can be reached")
    }
    guard url.user() == nil, url.password() == nil else {
      throw error(
        "`\(text)` has a name or a password in it", "everyone would see them; leave them out")
    }
    return text
  }

  /// A place in an app, by any scheme that does not run what it holds.
  func deepLink() throws(FileError) -> String {
    let text = try text("a deep link", atMost: CampaignBounds.urlBytes)
    if TemplateCheck.isTemplate(text), text.hasPrefix("{") { return text }
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard text.contains(":"), let first = scheme.first, first.isASCII, first.isLetter,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }),
      !text.contains(where: \.isWhitespace) || TemplateCheck.isTemplate(text)
    else {
      throw error("`\(text)` is no deep link", "write the app's scheme, as in cinema://film/12")
    }
    guard !["javascript", "data", "vbscript", "file", "blob"].contains(scheme) else {
      throw error(
        "`\(scheme):` would run or show what stands in it", "write a scheme of the app's own")
    }
    return text
  }
}
