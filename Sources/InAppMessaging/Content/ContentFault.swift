/// A fault in a message's content.
package enum ContentFault: Hashable, Sendable, CustomStringConvertible {
  /// The view needs this extra.
  case missing(String)
  /// The view needs a value of another type there.
  case wrongType(String)
  case video(MediaURLFault)
  /// The text must be a list, and is empty.
  case noItems
  /// The message is an image, and its URL cannot be loaded.
  case noImage
  /// The message has neither text nor header, or its page is empty.
  case noText
  /// A click would open a forbidden link.
  case link(String)

  /// The kind of fault without its details, small enough to keep one for each campaign.
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

  /// The kind of this fault.
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
  /// Why the message cannot be shown in a view; `nil` if it can.
  ///
  /// - Parameters:
  ///   - view: the view's name. One that the campaign's author chose draws what it likes, and needs
  ///     no text and no image.
  ///   - requirements: what the view needs.
  ///   - media: which videos the client lets through.
  package func fault(
    in view: String, needing requirements: MessageViewRequirements, media: MediaURLGuard
  ) -> ContentFault? {
    // A control has nothing to show.
    guard !isControl else { return nil }
    return (view == authorsView ? nil : bodyFault) ?? linkFault
      ?? requirements.fault(of: self, media: media)
  }

  /// Why no client can show the message, even one that allows everything; `nil` if some can.
  ///
  /// An app's own views are unknown here and pass. A missing video passes if the message belongs to
  /// a session, because the session supplies it.
  package var universalFault: ContentFault? {
    guard !isControl else { return nil }
    guard let authorsView else { return bodyFault ?? linkFault }
    if let linkFault { return linkFault }
    guard session == nil, let view = ShippedView(rawValue: authorsView) else { return nil }
    return view.requirements.fault(of: self, media: .widest)
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
