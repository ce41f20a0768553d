import Participation
import Playback
import Testing
import Vocabulary

/// What a follower heard and said, a line each, which the page for browsers keeps to as well.
///
/// `# name` begins a case, with a new follower. `TIME words` is an input at a host time; what the
/// follower says to it follows as `> words`, and when it wants to be woken next, if that
/// has moved, as `= TIME`. Times and
/// positions are in µs.
struct FollowerTranscript {
  private(set) var lines: [String] = []
  private var follower: Follower
  private var clock: ClockEstimate?
  private var due: HostTime?

  /// By how much a wake-up moves without being written down: better clocks move it a little.
  private static let tolerance = Duration.milliseconds(1)

  /// - Parameter follower: a follower with the costs that a browser's begins with.
  init(_ follower: Follower) { self.follower = follower }

  /// Feeds a line of input, and notes what comes of it.
  ///
  /// The time may be `due`, for when the follower wants to be woken.
  mutating func feed(_ line: String) throws {
    var words = line.split(separator: " ").map(String.init)
    let now = words[0] == "due" ? try #require(follower.nextDeadline) : try HostTime(words[0])
    words[0] = String(now.microseconds)
    lines.append(words.joined(separator: " "))
    let said = try input(Array(words.dropFirst())).map { follower.handle($0, at: now) } ?? []
    lines += said.map { "> \($0.words)" }
    let next = follower.nextDeadline
    if let next, let due, (next - due).magnitude <= Self.tolerance { return }
    guard next != due else { return }
    due = next
    lines.append("= \(due.map { String($0.microseconds) } ?? "none")")
  }

  /// The input that these words are; `nil` for a sample, which only makes the clock better.
  private mutating func input(_ words: [String]) throws -> Follower.Input? {
    switch words[0] {
    case "sample":
      let sample = try ClockSample(
        asked: HostTime(words[1]), heard: Instant(words[2]), answered: Instant(words[3]),
        received: HostTime(words[4]))
      if clock?.add(sample) == nil { clock = ClockEstimate(sample) }
      return nil
    case "clock": return .clock(try #require(clock))
    case "timeline":
      return .timeline(try Timeline(words: words.dropFirst()), clock: try #require(clock))
    case "player": return .player(try PlayerEvent(words: Array(words.dropFirst())))
    case "suspended": return .suspended(words[1] == "true")
    case "offset": return .playerOffset(.microseconds(try #require(Int64(words[1]))))
    case "released": return .released
    case "reapply": return .reapply
    case "deadline": return .deadlineReached
    default: throw NoInput(words: words)
    }
  }

  /// Words that are no input.
  struct NoInput: Error { let words: [String] }
}

extension HostTime {
  init(_ word: String) throws { self.init(microseconds: try #require(Int64(word))) }
}

extension Instant {
  init(_ word: String) throws { self.init(microseconds: try #require(Int64(word))) }
}

extension MediaTime {
  init(_ word: String) throws { self.init(microseconds: try #require(Int64(word))) }
}

// MARK: Words

extension Timeline {
  /// `none`, or `PHASE SEQ POSITION RATE DURATION`, where `-` is an unknown duration; playing, it has
  /// an `ANCHOR`, and perhaps the rate up to it; `ad START END` at the end is an advertisement.
  fileprivate init?(words: ArraySlice<String>) throws {
    let words = Array(words)
    guard words[0] != "none" else { return nil }
    let position = try MediaTime(words[2])
    let rate = try #require(Double(words[3]).flatMap { Rate($0) })
    let ad = words.firstIndex(of: "ad")
    let phase: Phase
    switch words[0] {
    case "preparing":
      phase = .preparing(StartBarrier(from: position, rate: rate, due: nil, patience: nil))
    case "playing":
      let approach = (ad ?? words.count) > 6 ? Double(words[6]).flatMap { Rate($0) } : nil
      phase = .playing(
        TimelineAnchor(
          mediaTime: position, at: try Instant(words[5]), rate: rate, approach: approach))
    case "paused": phase = .paused(at: position)
    default: phase = .ended(at: position)
    }
    self.init(
      phase: phase, rate: rate, seq: try #require(Int(words[1])),
      duration: Int64(words[4]).map { .microseconds($0) })
    if let ad {
      let range = InterstitialRange(
        start: try MediaTime(words[ad + 1]), end: try MediaTime(words[ad + 2]))
      interstitials = try #require(Interstitials([range]))
    }
  }
}

extension PlayerEvent {
  fileprivate init(words: [String]) throws {
    switch words[0] {
    case "loaded":
      self = .loaded(
        duration: Int64(words[1]).map { .microseconds($0) }, rates: .slowest ... .fastest,
        measurementNoise: .microseconds(try #require(Int64(words[2]))))
    case "position": self = .position(try MediaTime(words[1]), at: try HostTime(words[2]))
    case "paused": self = .paused
    case "unpaused": self = .unpaused
    case "seeked": self = .seeked(to: try MediaTime(words[1]))
    case "seekFinished": self = .seekFinished(at: try MediaTime(words[1]))
    case "rateChanged": self = .rateChanged(try #require(Double(words[1])))
    case "stalled": self = .stalled
    case "recovered": self = .recovered
    case "ended": self = .ended
    case "failed": self = .failed(reason: "")
    default: throw FollowerTranscript.NoInput(words: words)
    }
  }
}

extension Follower.Output {
  fileprivate var words: String {
    switch self {
    case .player(.play(let rate)): "play \(rate.rounded)"
    case .player(.pause): "pause"
    case .player(.seek(let position)): "seek \(position.microseconds)"
    case .player(.setRate(let rate)): "setRate \(rate.rounded)"
    case .report(.ready(let seq)): "ready \(seq)"
    case .report(.ended(let seq)): "ended \(seq)"
    case .intent(.play): "wish play"
    case .intent(.pause(let position)): "wish pause \(position.microseconds)"
    case .intent(.seek(let position)): "wish seek \(position.microseconds)"
    case .intent(.setRate(let rate)): "wish setRate \(rate.factor.rounded)"
    case .suspend(let reason): "suspend \(reason.text)"
    case .endSuspension: "endSuspension"
    case .correction(let correction, let error): "\(correction.word) \(error.microseconds)"
    case .status(let error): "status \(error.microseconds)"
    }
  }
}

extension Follower.Correction {
  fileprivate var word: String {
    switch self {
    case .rate: "trimmed"
    case .groupRate: "untrimmed"
    case .seek: "soughtAhead"
    case .startedLate: "startedLate"
    case .gaveUp: "gaveUp"
    }
  }
}

extension Double {
  /// With four places, as in both clients.
  fileprivate var rounded: String {
    let parts = Int64((self * 10_000).rounded())
    return "\(Double(parts) / 10_000)"
  }
}
