import GroupSessions
import Playback
package import Vocabulary
import Wire

/// Random values of the protocol's types; equal seeds give equal values.
package struct RandomValues {
  package var generator: SplitMix64
  /// Whether texts contain only letters, for readability.
  package var isPlain = false

  package init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// A number in the range.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  package mutating func chance() -> Bool { Bool.random(using: &generator) }

  /// A value or nil.
  package mutating func maybe<Value>(_ make: (inout RandomValues) -> Value) -> Value? {
    chance() ? make(&self) : nil
  }

  /// A list of some values.
  package mutating func list<Value>(
    upTo count: Int = 4, _ make: (inout RandomValues) -> Value
  ) -> [Value] {
    (0..<number(0...count)).map { _ in make(&self) }
  }

  /// One of these names.
  package mutating func one(of names: [String]) -> String { names[number(0...names.count - 1)] }

  /// One of the cases.
  ///
  /// An enumeration without cases is a mistake of the caller.
  package mutating func one<Value: CaseIterable>(_ type: Value.Type = Value.self) -> Value {
    guard let value = Value.allCases.randomElement(using: &generator) else {
      preconditionFailure("an enumeration without cases")
    }
    return value
  }

  /// Short and long texts, with characters that need escapes and scalars of every plane.
  package mutating func text() -> String {
    let wild: [Unicode.Scalar] = ["a", "z", "-", "0", "\"", "\\", "\n", "\u{1F}", "é", "語", "😀"]
    let scalars = isPlain ? ["a", "e", "i", "n", "r", "s", "t"] : wild
    return String(
      String.UnicodeScalarView(
        (0..<number(1...12)).compactMap { _ in scalars.randomElement(using: &generator) }))
  }

  /// An identifier with any permitted characters.
  package mutating func id<Kind>() -> Identifier<Kind> {
    Identifier("i" + text().filter { !$0.unicodeScalars.contains(where: \.isControl) })
  }

  /// A count, which is usually small.
  package mutating func count() -> Int {
    number(0...3) == 0 ? number(0...1 << 53) : number(0...100)
  }

  package mutating func microseconds() -> Int64 { Int64(count()) }

  package mutating func instant() -> Instant { Instant(microseconds: microseconds()) }

  mutating func mediaTime() -> MediaTime { MediaTime(microseconds: microseconds()) }

  mutating func duration() -> Duration { .microseconds(microseconds()) }

  mutating func rate() -> Rate {
    Rate(Double(number(250...4000)) / 1000) ?? .normal
  }

  mutating func payload() -> JSONText {
    let texts = [
      "null", "0", "-1.5", "true", #""é \" 😀""#, "[]", "{}", #"{"a":[1,{"b":null}],"c":"x"}"#,
      #"{"chat":"hello"}"#,
    ]
    return JSONText(validated: texts.randomElement(using: &generator) ?? "null")
  }

  mutating func features() -> Set<Feature> { Set(list { Feature($0.text()) }) }
}

// MARK: Media

extension RandomValues {
  mutating func media() -> MediaItem {
    MediaItem(
      item: maybe { $0.id() }, title: maybe { $0.text() }, url: text(),
      size: maybe {
        $0.number(0...1) == 0 ? .bytes(Int64($0.number(0...1_000_000))) : .hashed("0123456789ab")
      },
      duration: maybe { $0.duration() }, interstitials: interstitials())
  }

  /// Ranges in order, each starting at or shortly after the end of the previous one.
  mutating func interstitials() -> Interstitials {
    var place: Int64 = 0
    let ranges = list { random in
      let start = place + Int64(random.number(0...3) * 1_000_000)
      place = start + Int64(random.number(1...90_000_000))
      return InterstitialRange(
        start: MediaTime(microseconds: start), end: MediaTime(microseconds: place))
    }
    return Interstitials(ranges) ?? Interstitials()
  }

  mutating func seekWindow() -> SeekWindow {
    let start = MediaTime(microseconds: Int64(number(0...90_000_000)))
    let length = Duration.microseconds(Int64(number(0...90_000_000)))
    guard let window = SeekWindow(start: start, end: start + length, slides: chance()) else {
      preconditionFailure("it begins at or behind 0, and ends no earlier")
    }
    return window
  }

  mutating func activity() -> GroupActivity {
    GroupActivity(
      type: text(), payload: payload(),
      metadata: GroupActivityMetadata(
        type: chance() ? .generic : ActivityType(text()), title: text(),
        subtitle: maybe { $0.text() }, fallbackURL: maybe { $0.text() },
        previewImageURL: maybe { $0.text() }, lifetimePolicy: one()),
      media: maybe { $0.media() })
  }

  mutating func timing() -> ProposedTiming {
    ProposedTiming(mediaTime: mediaTime(), rate: maybe { $0.rate() })
  }

  mutating func policy() -> WaitingPolicy {
    switch number(0...2) {
    case 0: return .keepGoing
    case 1: return .together
    default:
      let limits = list { (SuspensionReason($0.text()), $0.count()) }
      return WaitingPolicy(
        reasons: Set(list { SuspensionReason($0.text()) }),
        participantLimits: Dictionary(limits) { first, _ in first },
        maximumWait: .microseconds(count() % 600_000_001),
        pauseSnapsToMediaTimeOfOriginator: chance(),
        waitsForLateJoiners: chance())
    }
  }

  mutating func recipients() -> Recipients {
    chance() ? .all : .only(list { $0.id() })
  }

  mutating func withdrawal() -> OfferWithdrawal {
    switch number(0...2) {
    case 0: .declined
    case 1: .notEligible
    default: .ended(endReason(one()))
    }
  }

  mutating func position() -> QueuePosition {
    switch number(0...2) {
    case 0: .end
    case 1: .next
    default: .after(id())
    }
  }
}
