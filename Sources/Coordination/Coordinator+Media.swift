import GroupSessions
import Playback
import Vocabulary
import Wire

// What media must be, wherever it comes in: with an activity, into the queue, with a player.

extension Coordinator {
  /// What an activity must have to be shared; names the field that is wrong.
  func check(_ activity: GroupActivity) throws(ProtocolError) {
    func refuse(_ field: String, _ message: String) -> ProtocolError {
      ProtocolError(.invalidActivity, message, field: field)
    }
    guard !activity.type.isEmpty else {
      throw refuse("activity.type", "an activity needs a type")
    }
    guard activity.payload.text.utf8.count <= limits.activityBytes else {
      throw ProtocolError(
        .invalidActivity, "the payload is too large", field: "activity.payload",
        limit: limits.activityBytes)
    }
    guard !activity.metadata.title.isEmpty else {
      throw refuse("activity.metadata.title", "an activity needs a title to invite with")
    }
    if let flaw = activity.media.flatMap({ $0.flaw(limits) }) {
      throw refuse("activity.media.\(flaw.field)", flaw.message)
    }
    let links = [
      ("activity.metadata.fallbackURL", activity.metadata.fallbackURL),
      ("activity.metadata.previewImageURL", activity.metadata.previewImageURL),
    ]
    for (field, link) in links {
      guard let link else { continue }
      guard link.hasPrefix("https://") || link.hasPrefix("http://") else {
        throw refuse(field, "a link begins with https:// or http://")
      }
    }
  }

  /// What media must have to stand in the queue: the same as in an activity.
  func check(_ command: QueueCommand) throws(ProtocolError) {
    guard case .insert(let media, _) = command else { return }
    for (number, media) in media.enumerated() {
      guard let flaw = media.flaw(limits) else { continue }
      throw ProtocolError(.invalidField, flaw.message, field: "media[\(number)].\(flaw.field)")
    }
  }

  /// Advertisements that a player tells of lie within the length that it tells.
  func check(_ command: PlaybackCommand) throws(ProtocolError) {
    guard case .transition(_, _, let duration, let interstitials, _) = command,
      let flaw = interstitials.flaw(in: duration, limits)
    else { return }
    throw ProtocolError(.invalidField, flaw, field: "interstitials")
  }
}

extension MediaItem {
  /// The field that keeps it from being played, and why; `nil` if none does.
  fileprivate func flaw(_ limits: Limits) -> (field: String, message: String)? {
    if url.isEmpty || url.utf8.count > limits.itemBytes {
      return ("url", "media needs a URL of at most \(limits.itemBytes) bytes")
    }
    if item.text.isEmpty || item.text.utf8.count > limits.itemBytes {
      return ("item", "media needs an identifier of at most \(limits.itemBytes) bytes")
    }
    if let title, title.utf8.count > limits.titleBytes {
      return ("title", "a title has at most \(limits.titleBytes) bytes")
    }
    if let duration, duration <= .zero {
      return ("duration", "media without a length has no duration, rather than one of zero")
    }
    return interstitials.flaw(in: duration, limits).map { ("interstitials", $0) }
  }
}

extension Interstitials {
  /// Why an item of this length cannot have them; `nil` if it can.
  fileprivate func flaw(in duration: Duration?, _ limits: Limits) -> String? {
    if ranges.count > limits.interstitials {
      return "an item has at most \(limits.interstitials) interstitials"
    }
    return fit(in: duration) ? nil : "interstitials lie within the item"
  }
}
