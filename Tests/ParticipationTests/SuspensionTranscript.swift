import GroupSessions
import Playback
import Testing
import Vocabulary
import Wire

@testable import Participation

/// What one player's side heard and said, a line each, as the file of the cases explains.
struct SuspensionTranscript: ~Copyable {
  private(set) var lines: [String] = []
  private var side: PlayerSide
  /// The suspensions that were asked for and not answered.
  private var asked: [(session: SessionID?, reason: SuspensionReason)] = []
  private var around = PlayerSide.Surroundings()
  private var decoder = ServerLineDecoder(maximumBytes: 10_000)
  /// Where the player was last told to seek.
  private var target = MediaTime.zero

  init() throws {
    side = PlayerSide(ClientSettings(user: UserID("ben"), device: DeviceID("ben"), name: "Ben"))
    let zero = HostTime(microseconds: 0)
    let start = Instant(microseconds: 0)
    around.clock = ClockEstimate(
      try ClockSample(asked: zero, heard: start, answered: start, received: zero))
    around.isOnline = true
  }

  /// Feeds a line of input, and notes what comes of it.
  mutating func feed(_ line: String) throws {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    around.now = words[0] == "due" ? try #require(side.nextDeadline) : try HostTime(words[0])
    lines.append(line)
    carryOut(try take(words[1], words.count > 2 ? words[2] : ""))
  }

  private mutating func take(_ kind: String, _ rest: String) throws -> [PlayerSide.Step] {
    switch kind {
    case "session": return try enter(rest, with: ["ann", "ben"])
    case "audience": return try enter(rest, with: ["ann"])
    case "event": return try hear(rest)
    case "over":
      around.seat = nil
      return side.turn(around) { $0.detach() }
    case "granted": return answer(Int(rest))
    case "refused": return answer(nil)
    case "deadline": return side.turn(around) { $0.feed(.deadlineReached) }
    case "player":
      let event = try event(rest)
      return side.turn(around) { $0.hear(event, of: ItemID("film")) }
    default: throw NoInput(words: kind)
    }
  }

  /// Answers the oldest suspension that was asked for; one of a session that is over concerns nobody.
  private mutating func answer(_ number: SuspensionID?) -> [PlayerSide.Step] {
    let (session, reason) = asked.removeFirst()
    guard session == around.seat?.id else { return [] }
    return side.turn(around) { $0.nameSuspension(reason, number) }
  }

  /// Words that are no input.
  struct NoInput: Error { let words: String }

  // MARK: Inputs

  private mutating func enter(_ session: String, with people: [String]) throws
    -> [PlayerSide.Step]
  {
    let participants = people.map { name in
      """
      {"participant":"\(name)","user":"\(name)","device":"\(name)","name":"\(name)",\
      "role":"guest","joinedAt":0,"item":"film"}
      """
    }
    let line = """
      {"type":"snapshot","participant":"ben","at":0,"session":"\(session)","group":"g",\
      "initiator":{"user":"ann","device":"ann","name":"ann"},"state":"open","seq":5,\
      "activity":{"type":"watch","metadata":{"title":"Film"},"media":{"url":"film"}},\
      "revision":1,"control":"everyone",\
      "audience":true,"participants":[\(participants.joined(separator: ","))],\
      "waitingPolicy":"keepGoing","timelines":[{"item":"film","phase":"paused","mediaTime":0,\
      "rate":1,"seq":5,"duration":600000000}],"nextSuspension":1,\
      "queue":{"entries":[],"repeat":"off","autoAdvance":true,"nextNumber":1}}
      """
    guard case .snapshot(let told) = try decoder.decode(Array(line.utf8).span) else {
      throw NoInput(words: line)
    }
    around.seat = Seat(joining: SessionID(session), until: around.now)
    around.seat?.enter(told)
    return side.turn(around) { $0.refollow() }
  }

  private mutating func hear(_ fields: String) throws -> [PlayerSide.Step] {
    let (id, seq) = (try #require(around.seat?.id.text), try #require(around.seat?.session?.seq))
    let line = """
      {"type":"event","session":"\(id)","seq":\(seq + 1),"at":\(around.now.microseconds),\
      \(fields.dropFirst())
      """
    guard case .event(_, _, let at, let event) = try decoder.decode(Array(line.utf8).span) else {
      throw NoInput(words: line)
    }
    around.seat?.evolve(event, at: at)
    return side.turn(around) { $0.refollow() }
  }

  private func event(_ text: String) throws -> PlayerEvent {
    let words = text.split(separator: " ").map(String.init)
    switch words[0] {
    case "loaded":
      return .loaded(
        duration: .seconds(600), rates: .slowest ... .fastest,
        measurementNoise: .microseconds(1_500))
    case "position": return .position(try MediaTime(words[1]), at: around.now)
    case "seekFinished": return .seekFinished(at: target)
    case "paused": return .paused
    case "unpaused": return .unpaused
    case "stalled": return .stalled
    case "recovered": return .recovered
    default: throw NoInput(words: text)
    }
  }

  // MARK: Outputs

  private mutating func carryOut(_ steps: [PlayerSide.Step]) {
    for step in steps {
      switch step {
      case .order(.carryOut(let command)):
        if case .seek(let position) = command { target = position }
        write("player \(command.word)")
      case .order(.load): write("player load")
      case .ask(.playback(let id, let command), _), .announce(.playback(let id, let command), _):
        if case .suspend(let reason) = command { asked.append((id, reason)) }
        write(command.words)
      case .refollow: carryOut(side.turn(around) { $0.refollow() })
      case .order(.unload), .ask, .announce, .report, .resume, .tell: break
      }
    }
  }

  private mutating func write(_ words: String) { lines.append("> \(words)") }
}

extension PlayerCommand {
  fileprivate var word: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .seek: "seek"
    case .setRate: "setRate"
    }
  }
}

extension PlaybackCommand {
  fileprivate var words: String {
    switch self {
    case .transition(let item, _, _, _, _): "transition \(item?.text ?? "")"
    case .suspend(let reason): "suspend \(reason.text)"
    case .endSuspension(let number, _): "endSuspension \(number)"
    case .ready(_, let seq, _): "ready \(seq)"
    case .play: "play"
    case .pause: "pause"
    case .seek: "seek"
    case .setRate: "setRate"
    case .reportEnd(_, let seq): "reportEnd \(seq)"
    }
  }
}
