package import Playback
package import Vocabulary

/// Why an activity or media is refused wherever it comes in: with an activity, into the queue, or
/// from a player.
package struct MediaFlaw: Equatable, Sendable {
  /// The path of the field that is wrong, such as `media.url`.
  package let field: String
  /// What is wrong with it, for people.
  package let message: String
  /// The bound it exceeds, where the field has one of its own.
  package let limit: Int?

  init(_ field: String, _ message: String, limit: Int? = nil) {
    self.field = field
    self.message = message
    self.limit = limit
  }

  /// The same flaw of a value that stands at a path in a larger one.
  fileprivate func within(_ path: String) -> MediaFlaw {
    MediaFlaw("\(path).\(field)", message, limit: limit)
  }
}

extension GroupActivity {
  /// The first thing that keeps the activity from being shared; `nil` if nothing does.
  package func flaw(_ limits: Limits) -> MediaFlaw? {
    if type.isEmpty { return MediaFlaw("type", "an activity needs a type") }
    if payload.text.utf8.count > limits.activityBytes {
      return MediaFlaw("payload", "the payload is too large", limit: limits.activityBytes)
    }
    if metadata.title.isEmpty {
      return MediaFlaw("metadata.title", "an activity needs a title to invite with")
    }
    if let flaw = media?.flaw(limits) { return flaw.within("media") }
    let links = [
      ("metadata.fallbackURL", metadata.fallbackURL),
      ("metadata.previewImageURL", metadata.previewImageURL),
    ]
    for (field, link) in links {
      if let link, !link.hasPrefix("https://"), !link.hasPrefix("http://") {
        return MediaFlaw(field, "a link begins with https:// or http://")
      }
    }
    return nil
  }
}

extension QueueCommand {
  /// The first thing wrong with the media it inserts; `nil` if nothing is.
  package func flaw(_ limits: Limits) -> MediaFlaw? {
    guard case .insert(let media, _) = self else { return nil }
    for (number, media) in media.enumerated() {
      if let flaw = media.flaw(limits) { return flaw.within("media[\(number)]") }
    }
    return nil
  }
}

extension PlaybackCommand {
  /// What is wrong with the advertisements that a player reports: they lie within the length that it
  /// reports; `nil` if nothing is.
  package func flaw(_ limits: Limits) -> MediaFlaw? {
    guard case .transition(_, _, let duration, let interstitials, _) = self else { return nil }
    return interstitials.flaw(in: duration, limits)
  }
}

extension MediaItem {
  fileprivate func flaw(_ limits: Limits) -> MediaFlaw? {
    if url.isEmpty || url.utf8.count > limits.itemBytes {
      return MediaFlaw("url", "media needs a URL of at most \(limits.itemBytes) bytes")
    }
    if item.text.isEmpty || item.text.utf8.count > limits.itemBytes {
      return MediaFlaw("item", "media needs an identifier of at most \(limits.itemBytes) bytes")
    }
    if let title, title.utf8.count > limits.titleBytes {
      return MediaFlaw("title", "a title has at most \(limits.titleBytes) bytes")
    }
    if let duration, duration <= .zero {
      return MediaFlaw(
        "duration", "media without a length has no duration, rather than one of zero")
    }
    return interstitials.flaw(in: duration, limits)
  }
}

extension Interstitials {
  fileprivate func flaw(in duration: Duration?, _ limits: Limits) -> MediaFlaw? {
    if ranges.count > limits.interstitials {
      return MediaFlaw("interstitials", "an item has at most \(limits.interstitials) interstitials")
    }
    return fit(in: duration)
      ? nil : MediaFlaw("interstitials", "interstitials lie within the item")
  }
}
