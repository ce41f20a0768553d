import InAppMessaging
import MatineeTerminal
import Vocabulary

// Texts for campaigns, in the vocabulary of campaign files.

extension Campaign {
  /// Whether it precedes another campaign when both match: rule R-8, as far as files determine it.
  func goes(before other: Campaign) -> Bool {
    func place(_ campaign: Campaign) -> (Int, Int, Int64) {
      (
        Priority.Bucket.allCases.firstIndex(of: campaign.priority.bucket) ?? 0,
        campaign.priority.rank, campaign.start?.microseconds ?? .min
      )
    }
    let (mine, its) = (place(self), place(other))
    if mine != its { return mine < its }
    return id.text.utf8.lexicographicallyPrecedes(other.id.text.utf8)
  }
}

extension Campaign {
  /// Its state; of a live one, whether its time is over or has yet to come.
  func stateText(at now: Instant) -> String {
    guard state == .live else { return state.rawValue }
    if let end, end <= now { return "ended" }
    if let start, now < start { return "scheduled" }
    return state.rawValue
  }
}

extension Campaign.Priority {
  var text: String { rank == 0 ? bucket.rawValue : "\(bucket.rawValue) \(rank)" }
}

extension Campaign.Variant {
  /// The kind of its message.
  var kindText: String {
    switch content {
    case .message(let message): message.kind.rawValue
    case .control: InAppMessage.Kind.control.rawValue
    }
  }
}

extension Trigger {
  var text: String {
    switch self {
    case .launch, .foreground, .sessionStart: name.rawValue
    case .pushOpened(let campaign):
      [name.rawValue, campaign].compactMap(\.self).joined(separator: " ")
    case .purchase(let product, let filters):
      [name.rawValue, product, filters.text].compactMap(\.self).joined(separator: " ")
    case .event(let name, let filters):
      ["“\(name.withoutControls)”", filters.text].compactMap(\.self).joined(separator: " ")
    case .messageClicked(let campaign, let button):
      "a click on \(campaign)" + (button.map { " (\($0))" } ?? "")
    }
  }
}

extension [PropertyFilter] {
  fileprivate var text: String? {
    isEmpty ? nil : "where " + map(\.key).joined(separator: " and ")
  }
}

extension ReEligibility {
  var text: String {
    switch self {
    case .never: "never"
    case .after(.zero): "always"
    case .after(let duration): "after \(duration.phrase)"
    }
  }
}
