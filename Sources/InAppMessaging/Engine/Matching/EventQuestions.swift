internal import Vocabulary

/// What one event says to the filters of all campaigns: each condition is asked once.
struct EventQuestions {
  private let filters: FilterTable
  private let subject: String?
  /// The event's properties, by the numbers of those that are asked for.
  private var values: [PropertyValue?]
  /// By the conditions' places; `nil` if it was not asked yet.
  private var answers: [Bool?]

  init(_ event: TriggeringEvent, filters: FilterTable) {
    self.filters = filters
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

  private mutating func holds(_ condition: Int) -> Bool {
    if let answer = answers[condition] { return answer }
    let answer = filters.holds(condition, for: values)
    answers[condition] = answer
    return answer
  }
}
