package import Playback
package import Vocabulary

/// Why an activity or media is refused, whether it comes with an activity, a queue command or a
/// player's report.
package struct MediaFlaw: Equatable, Sendable {
  /// The path of the wrong field, such as `media.url`.
  package let field: String
  /// What is wrong with it, for people.
  package let message: String
  /// The bound that was exceeded, if the field has a bound of its own.
  package let limit: Int?

  init(_ field: String, _ message: String, limit: Int? = nil) {
    self.field = field
    self.message = message
    self.limit = limit
  }

  /// The same flaw in a value that is nested at a path.
  fileprivate func within(_ path: String) -> MediaFlaw {
    MediaFlaw("\(path).\(field)", message, limit: limit)
  }
}

extension GroupActivity {
  /// The activity's first flaw; `nil` if it has none.
  package func flaw(_ limits: Limits) -> MediaFlaw? {
    if type.isEmpty { return MediaFlaw("type", "an activity needs a type") }
    if payload.text.utf8.count > limits.activityBytes {
      return MediaFlaw("payload", "the payload is too large", limit: limits.activityBytes)
    }
    if metadata.title.isEmpty {
      return MediaFlaw("metadata.title", "an activity needs a title for its invitations")
    }
    if let flaw = media?.flaw(limits) { return flaw.within("media") }
    let links = [
      ("metadata.fallbackURL", metadata.fallbackURL),
      ("metadata.previewImageURL", metadata.previewImageURL),
    ]
    for (field, link) in links {
      if let link, !link.hasPrefix("https://"), !link.hasPrefix("http://") {
        return MediaFlaw(field, "a link must begin with https:// or http://")
      }
    }
    return nil
  }
}

extension QueueCommand {
  /// The first flaw of the media that the command inserts; `nil` if it has none.
  package func flaw(_ limits: Limits) -> MediaFlaw? {
    guard case .insert(let media, _) = self else { return nil }
    for (number, media) in media.enumerated() {
      if let flaw = media.flaw(limits) { return flaw.within("media[\(number)]") }
    }
    return nil
  }
}

extension PlaybackCommand {
  /// The flaw of the interstitials that a player reports with an item; `nil` if they have none.
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
    if let duration, duration < Timeline.lengthTolerance {
      return MediaFlaw(
        "duration", "a duration is at least a second; leave it out if it is shorter or unknown")
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
      ? nil : MediaFlaw("interstitials", "interstitials must lie within the item")
  }
}
