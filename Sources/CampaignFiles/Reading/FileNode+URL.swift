import InAppMessaging
import YAML
import WebAddresses

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
    guard let address = WebAddress(text), !address.host.isEmpty else {
      throw error("`\(text)` is no URL", advice)
    }
    guard schemes.contains(address.scheme) else {
      throw error(
        "`\(text)` is no \(schemes.joined(separator: " or ")) URL",
        "write \(schemes[0])://, or put it where that can be reached")
    }
    guard !address.hasUserInformation else {
      throw error(
        "`\(text)` has a name or a password in it", "everyone would see them; leave them out")
    }
    return text
  }

  /// A place in an app, by any scheme that does not run what it holds.
  func deepLink() throws(FileError) -> String {
    let text = try text("a deep link", atMost: CampaignBounds.urlBytes)
    let isTemplate = TemplateCheck.isTemplate(text)
    if isTemplate, text.hasPrefix("{") { return text }
    guard let scheme = LinkGuard.scheme(of: text), WebAddress.isScheme(scheme) else {
      throw error("`\(text)` is no deep link", "write the app's scheme, as in cinema://film/12")
    }
    guard !LinkGuard.isCode(scheme) else {
      throw error(
        "`\(scheme):` would run or show what stands in it", "write a scheme of the app's own")
    }
    guard isTemplate || LinkGuard.allows(deepLink: text) else {
      throw error("`\(text)` has spaces in it", "write %20 for each")
    }
    return text
  }
}
