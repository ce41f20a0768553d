internal import Vocabulary

/// What one event says to the filters of all campaigns, and who it happened to to their audiences:
/// each condition and each audience is asked once.
struct EventQuestions {
  private let filters: FilterTable
  private let subject: String?
  /// The event's properties, by the numbers of those that are asked for.
  private var values: [PropertyValue?]
  /// By the conditions' places; `nil` if it was not asked yet.
  private var answers: [Bool?]
  /// Which audience each campaign has, by the campaigns' places.
  private let audiences: [UInt16]
  /// Whether it is the person's; `nil` if it was not asked yet.
  private var memberships: [Bool?]

  init(_ event: TriggeringEvent, filters: FilterTable, audiences: [UInt16]) {
    self.filters = filters
    self.audiences = audiences
    memberships = Array(repeating: nil, count: audiences.count)
    subject = event.subject
    values = Array(repeating: nil, count: filters.numbers.count)
    answers = Array(repeating: nil, count: filters.conditions.count)
    for (key, value) in event.properties {
      if let number = filters.numbers[key] { values[Int(number)] = value }
    }
  }

  /// The place of the filter of a trigger that the event does not meet; `nil` if it meets all.
  ///
  /// It is -1 where the event is of another product, push or button.
  mutating func unmetFilter(of entry: TriggerIndex.Entry) -> Int? {
    if let wanted = filters.subject(of: entry.filters), wanted != subject { return -1 }
    for number in 0..<Int(entry.filters.count)
    where !holds(filters.condition(number, of: entry.filters)) {
      return number
    }
    return nil
  }

  /// Whether a person belongs to the audience of the campaign at a place.
  mutating func isInAudience(
    of ordinal: Int, _ rule: borrowing CampaignRule, _ user: borrowing UserMessaging,
    on device: DevicePresence?
  ) -> Bool {
    let audience = Int(audiences[ordinal])
    if let isMember = memberships[audience] { return isMember }
    let isMember = rule.audience.holds(for: user, on: device)
    memberships[audience] = isMember
    return isMember
  }

  private mutating func holds(_ condition: Int) -> Bool {
    if let answer = answers[condition] { return answer }
    let answer = filters.holds(condition, for: values)
    answers[condition] = answer
    return answer
  }
}
