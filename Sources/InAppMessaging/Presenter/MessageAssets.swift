import WebAddresses

/// The images that must be loaded before a message is shown; https only.
package struct MessageAssets: Hashable, Sendable {
  package var image: String?
  /// Instead of the other on a device held in landscape.
  package var landscapeImage: String?
}

extension InAppMessage {
  /// What has to be loaded before it is shown; images without an `https` URL are left out.
  var assets: MessageAssets {
    let (image, landscape): (Image?, Image?) =
      switch body {
      case .image(let image, let landscape): (image, landscape)
      case .text(let text):
        if case .image(let image) = text.graphic {
          (image, text.landscapeImage)
        } else {
          (nil, text.landscapeImage)
        }
      case .html, .empty: (nil, nil)
      }
    return MessageAssets(image: image?.secureURL, landscapeImage: landscape?.secureURL)
  }

  mutating func removeLandscapeImage() {
    switch body {
    case .image(let image, _): body = .image(image, landscape: nil)
    case .text(var text):
      text.landscapeImage = nil
      body = .text(text)
    case .html, .empty: break
    }
  }

  mutating func removeThemes() {
    themes = Themes()
    for index in buttons.indices { buttons[index].themes = Themes() }
  }
}

extension InAppMessage.Image {
  /// The URL if it is one to be loaded from; authors leave spaces at its ends.
  var secureURL: String? {
    let url = self.url.filter { $0 != " " }
    guard let address = WebAddress(url), address.scheme == "https", !address.host.isEmpty else {
      return nil
    }
    return url
  }
}
