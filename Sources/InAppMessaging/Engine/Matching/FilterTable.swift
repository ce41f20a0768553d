/// The filters of all triggers: equal conditions are kept once and have numbers.
///
/// When two hundred campaigns each kept their own, an event looked a property up two hundred times,
/// and searched the same text with the same expression again and again.
struct FilterTable: Equatable, Sendable {
  /// Where a trigger's filters stand.
  struct Place: Equatable, Sendable {
    fileprivate let start: UInt32
    let count: UInt8
    /// The place of the product, push or button that it waits for; `nil` for any.
    fileprivate let subject: UInt16?
  }

  /// Each once.
  private(set) var conditions: [Condition] = []
  /// The property that each condition looks at, by its number.
  private var keys: [UInt16] = []
  /// The properties' numbers.
  private(set) var numbers: [String: UInt16] = [:]
  /// The conditions of the triggers, one trigger's behind the other's.
  private var order: [UInt16] = []
  private var subjects: [String] = []
  private var places: [PropertyFilter: UInt16] = [:]

  /// Adds a trigger's filters and the conditions compiled from them.
  mutating func enter(_ trigger: Trigger, _ conditions: [Condition]) -> Place {
    let start = UInt32(order.count)
    for (filter, condition) in zip(trigger.filters, conditions) {
      order.append(place(of: filter, condition))
    }
    var subject: UInt16?
    if let text = trigger.subject {
      subject = UInt16(subjects.count)
      subjects.append(text)
    }
    return Place(start: start, count: UInt8(conditions.count), subject: subject)
  }

  private mutating func place(of filter: PropertyFilter, _ condition: Condition) -> UInt16 {
    if let known = places[filter] { return known }
    let place = UInt16(conditions.count)
    places[filter] = place
    conditions.append(condition)
    let number = numbers[filter.key] ?? UInt16(numbers.count)
    numbers[filter.key] = number
    keys.append(number)
    return place
  }

  func subject(of place: Place) -> String? {
    place.subject.map { subjects[Int($0)] }
  }

  /// The condition of a trigger's filter of that number.
  func condition(_ number: Int, of place: Place) -> Int {
    Int(order[Int(place.start) + number])
  }

  /// Whether a condition holds for an event whose properties are these, by their numbers.
  func holds(_ condition: Int, for values: [PropertyValue?]) -> Bool {
    let conditions = conditions.span
    let values = values.span
    return conditions[condition].holds(for: values[Int(keys[condition])])
  }
}

/// The evaluation of all campaigns' filters and audiences for one event: each condition and each
/// audience is evaluated once.
struct EventQuestions {
  private let filters: FilterTable
  private let subject: String?
  /// The event's properties, by the numbers of the properties that filters use.
  private var values: [PropertyValue?]
  /// By the conditions' places; `nil` if not evaluated yet.
  private var answers: [Bool?]
  /// The number of each campaign's audience.
  private let audiences: [UInt16]
  /// Whether the person belongs to each audience; `nil` if not evaluated yet.
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
  /// It is -1 if the event is of another product, push or button.
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
