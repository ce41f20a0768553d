/// What is not in order with a message's content.
package enum ContentFault: Hashable, Sendable, CustomStringConvertible {
  /// The view needs this extra.
  case missing(String)
  /// The view needs another sort of value there.
  case wrongType(String)
  case video(MediaURLFault)
  /// The text is to be a list, and lists nothing.
  case noItems
  /// The message is an image, and has none that can be loaded.
  case noImage
  /// There is neither a text nor a header, or no page.
  case noText
  /// A click would lead where none may.
  case link(String)

  /// A fault without what it is about, for those who keep one for each campaign.
  package enum Sort: String, Hashable, Sendable, CaseIterable {
    case missingExtra
    case wrongExtra
    case video
    case noItems
    case noImage
    case noText
    case link

    /// The fault in words.
    package var words: String {
      switch self {
      case .missingExtra: "an extra that its view needs is missing"
      case .wrongExtra: "an extra is something else than its view needs"
      case .video: "its video is at no URL"
      case .noItems: "there is nothing to choose from"
      case .noImage: "there is no image"
      case .noText: "there is no text"
      case .link: "a click would lead where none may"
      }
    }
  }

  /// Which sort it is of.
  package var sort: Sort {
    switch self {
    case .missing: .missingExtra
    case .wrongType: .wrongExtra
    case .video: .video
    case .noItems: .noItems
    case .noImage: .noImage
    case .noText: .noText
    case .link: .link
    }
  }

  /// The fault in words.
  package var description: String {
    switch self {
    case .missing(let key): "the extra \(key) is missing"
    case .wrongType(let key): "the extra \(key) is something else than the view needs"
    case .video(let fault): "the video's URL \(fault.words)"
    case .noItems: "the text lists no items"
    case .noImage: "there is no image that can be loaded"
    case .noText: "there is no text"
    case .link(let link): "a click would lead to \(link)"
    }
  }
}

// MARK: What is asked of every message

extension InAppMessage {
  /// What keeps the message from being shown in a view; `nil` if nothing does.
  ///
  /// - Parameters:
  ///   - view: the view's name. One that the campaign's author chose draws what it likes, and needs
  ///     no text and no image.
  ///   - schema: what the view needs.
  ///   - media: which videos the client lets through.
  package func fault(
    in view: String, needing schema: ExtrasSchema, media: MediaURLGuard
  ) -> ContentFault? {
    // A control has nothing to show.
    guard !isControl else { return nil }
    return (view == authorsView ? nil : bodyFault) ?? linkFault
      ?? schema.fault(of: self, media: media)
  }

  /// What keeps the message from being shown by any client, whatever its app allows; `nil` if nothing
  /// does.
  ///
  /// An app's own views are known to the app alone. The session that a message belongs to may bring
  /// the video that the message lacks.
  package var universalFault: ContentFault? {
    guard !isControl else { return nil }
    guard let authorsView else { return bodyFault ?? linkFault }
    if let linkFault { return linkFault }
    guard session == nil, let view = ShippedView(rawValue: authorsView) else { return nil }
    return view.schema.fault(of: self, media: .widest)
  }

  private var authorsView: String? { ViewRegistry.view(namedIn: extras) }

  private var bodyFault: ContentFault? {
    switch body {
    case .text(let text):
      text.message.isEmpty && (text.header ?? "").isEmpty ? .noText : nil
    case .image(let image, _): image.secureURL == nil ? .noImage : nil
    case .html(let page): page.source.isEmpty ? .noText : nil
    case .empty: .noText
    }
  }

  private var linkFault: ContentFault? {
    for action in actions {
      switch action {
      case .open(let url, _) where !LinkGuard.allows(page: url): return .link(url)
      case .deepLink(let link) where !LinkGuard.allows(deepLink: link): return .link(link)
      default: break
      }
    }
    return nil
  }

  /// Everything that a click on it can do.
  var actions: [ClickAction] {
    ([clickAction].compactMap(\.self) + buttons.map(\.clickAction)).flatMap(\.leaves)
  }
}
