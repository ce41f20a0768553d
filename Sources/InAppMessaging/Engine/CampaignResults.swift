package import Vocabulary

/// What came of the messages of campaigns, counted from the recorded events of people.
///
/// Feed it one person after the other: ``beginPerson()``, then ``evolve(_:)`` with each of their
/// events. A message counts only if its reservation is among the events, so that each one counts
/// whole or not at all. Trials do not count.
package struct CampaignResults: Equatable, Sendable {
  /// The tallies of each variant that was sent to somebody.
  package private(set) var variants: [Variant: Tally] = [:]
  /// When the latest gap in the events ends; `nil` without a gap.
  ///
  /// Messages that were triggered up to then may be missing.
  package private(set) var gapEnd: Instant?
  /// The variants of the current person's messages.
  private var messages: [MessageID: Variant] = [:]
  /// What the current person has done.
  private var deeds: [Variant: Set<Deed>] = [:]

  /// A variant of a campaign.
  package struct Variant: Hashable, Sendable {
    package let campaign: CampaignID
    package let id: String
    package let isControl: Bool

    package init(_ campaign: CampaignID, _ id: String, isControl: Bool = false) {
      self.campaign = campaign
      self.id = id
      self.isControl = isControl
    }
  }

  /// What happens with a message.
  package enum Deed: Hashable, Sendable {
    /// It was sent to a device.
    case sent
    /// It was seen; a control would have been.
    case seen
    /// It was clicked, on that button or on the body.
    case clicked(button: String?)
    /// It was shown, and went away for that reason.
    case dismissed(InAppMessage.DismissReason.Name)
  }

  /// How often what happened with the messages of a variant, and to how many people.
  package struct Tally: Equatable, Sendable {
    package fileprivate(set) var people: [Deed: Int] = [:]
    package fileprivate(set) var times: [Deed: Int] = [:]
  }

  /// Nothing is counted yet.
  package init() {}

  /// Begins with the events of the next person.
  package mutating func beginPerson() {
    messages = [:]
    deeds = [:]
  }

  /// Notes that events of the current person from before an instant are deleted.
  package mutating func noteGap(until instant: Instant) {
    gapEnd = max(gapEnd ?? instant, instant)
  }

  /// Counts the current person's next event.
  package mutating func evolve(_ event: MessagingEvent) {
    switch event {
    case .reserved(let delivery):
      guard !delivery.isTest else { return }
      messages[delivery.id] = Variant(
        delivery.campaign, delivery.variant, isControl: delivery.isControl)
      if delivery.device != nil { count(.sent, of: delivery.id) }
    case .offered(let id, _): count(.sent, of: id)
    case .impression(let id): count(.seen, of: id)
    case .clicked(let id, let button): count(.clicked(button: button), of: id)
    case .ended(let id, .presented(let reason)): count(.dismissed(reason.name), of: id)
    default: break
    }
  }

  private mutating func count(_ deed: Deed, of id: MessageID) {
    guard let variant = messages[id] else { return }
    let isFirst = deeds[variant, default: []].insert(deed).inserted
    variants[variant, default: Tally()].times[deed, default: 0] += 1
    if isFirst { variants[variant]?.people[deed, default: 0] += 1 }
  }
}

extension CampaignResults.Variant: Comparable {
  /// Orders by campaign; controls stand last.
  package static func < (one: Self, other: Self) -> Bool {
    if one.campaign != other.campaign { return one.campaign < other.campaign }
    if one.isControl != other.isControl { return other.isControl }
    return one.id < other.id
  }
}
