import Playback
import Testing
import Vocabulary

/// Every phase × every command × every kind of participant, in one table to read beside the rules.
///
/// The film stands at 60 s, its length is not known, and Ann and Ben are attached to it (lost, where
/// it is frozen). "attached" is Ann; "suspended" is Sue, whose suspension the group does not wait
/// for; "elsewhere" is Eve, attached to the trailer; "unknown" is nobody in the session. While the
/// film is empty Ann and Sue have nothing current.
///
/// Which event a report answers is the latest one's number, or "late" the one before it.
///
/// "=" nothing happens · "~" something happens, the film's timeline stays as it is · "!" refused ·
/// otherwise the film's new state; "starting" is playing with the common start still ahead.
@Suite struct PlaybackTableTests {
  static let table = """
    phase     | command         | attached          | suspended    | elsewhere    | unknown
    empty     | open            | paused 0          | paused 0     | paused 0     | !unknown
    empty     | open at 9       | playing 9         | frozen 9     | playing 9    | !unknown
    empty     | close           | =                 | =            | ~            | !unknown
    empty     | play            | !item             | !item        | !item        | !unknown
    empty     | play ×2         | !item             | !item        | !item        | !unknown
    empty     | play at once    | !item             | !item        | !item        | !unknown
    empty     | pause           | !item             | !item        | !item        | !unknown
    empty     | pause at 60.1   | !item             | !item        | !item        | !unknown
    empty     | seek 60         | !item             | !item        | !item        | !unknown
    empty     | seek 70         | !item             | !item        | !item        | !unknown
    empty     | seek 70 at once | !item             | !item        | !item        | !unknown
    empty     | rate ×2         | !item             | !item        | !item        | !unknown
    empty     | suspend         | ~                 | ~            | ~            | !unknown
    empty     | resume          | !number           | ~            | !number      | !unknown
    empty     | resume at 70    | !number           | ~            | !number      | !unknown
    empty     | ready           | !item             | !item        | !item        | !unknown
    empty     | ready late      | !item             | !item        | !item        | !unknown
    empty     | at end          | !item             | !item        | !item        | !unknown
    empty     | at end late     | !item             | !item        | !item        | !unknown

    paused    | open            | =                 | =            | ~            | !unknown
    paused    | open at 9       | =                 | =            | ~            | !unknown
    paused    | close           | ~                 | ~            | ~            | !unknown
    paused    | play            | preparing 60      | !suspended   | !item        | !unknown
    paused    | play ×2         | preparing 60 ×2.0 | !suspended   | !item        | !unknown
    paused    | play at once    | starting 60       | !suspended   | !item        | !unknown
    paused    | pause           | =                 | !suspended   | !item        | !unknown
    paused    | pause at 60.1   | =                 | !suspended   | !item        | !unknown
    paused    | seek 60         | =                 | !suspended   | !item        | !unknown
    paused    | seek 70         | paused 70         | !suspended   | !item        | !unknown
    paused    | seek 70 at once | paused 70         | !suspended   | !item        | !unknown
    paused    | rate ×2         | paused 60 ×2.0    | !suspended   | !item        | !unknown
    paused    | suspend         | ~                 | ~            | ~            | !unknown
    paused    | resume          | !number           | ~            | !number      | !unknown
    paused    | resume at 70    | !number           | paused 70    | !number      | !unknown
    paused    | ready           | =                 | =            | !item        | !unknown
    paused    | ready late      | !stale            | !stale       | !item        | !unknown
    paused    | at end          | =                 | !suspended   | !item        | !unknown
    paused    | at end late     | !stale            | !suspended   | !item        | !unknown

    preparing | open            | =                 | =            | ~            | !unknown
    preparing | open at 9       | =                 | =            | ~            | !unknown
    preparing | close           | ~                 | ~            | ~            | !unknown
    preparing | play            | =                 | !suspended   | !item        | !unknown
    preparing | play ×2         | preparing 60 ×2.0 | !suspended   | !item        | !unknown
    preparing | play at once    | starting 60       | !suspended   | !item        | !unknown
    preparing | pause           | paused 60         | !suspended   | !item        | !unknown
    preparing | pause at 60.1   | paused 60         | !suspended   | !item        | !unknown
    preparing | seek 60         | preparing 60      | !suspended   | !item        | !unknown
    preparing | seek 70         | preparing 70      | !suspended   | !item        | !unknown
    preparing | seek 70 at once | starting 70       | !suspended   | !item        | !unknown
    preparing | rate ×2         | preparing 60 ×2.0 | !suspended   | !item        | !unknown
    preparing | suspend         | ~                 | ~            | ~            | !unknown
    preparing | resume          | !number           | ~            | !number      | !unknown
    preparing | resume at 70    | !number           | preparing 70 | !number      | !unknown
    preparing | ready           | ~                 | ~            | !item        | !unknown
    preparing | ready late      | !stale            | !stale       | !item        | !unknown
    preparing | at end          | =                 | !suspended   | !item        | !unknown
    preparing | at end late     | !stale            | !suspended   | !item        | !unknown

    frozen    | open            | =                 | =            | preparing 60 | !unknown
    frozen    | open at 9       | =                 | =            | preparing 60 | !unknown
    frozen    | close           | ~                 | ~            | ~            | !unknown
    frozen    | play            | !suspended        | !suspended   | !item        | !unknown
    frozen    | play ×2         | !suspended        | !suspended   | !item        | !unknown
    frozen    | play at once    | !suspended        | !suspended   | !item        | !unknown
    frozen    | pause           | !suspended        | !suspended   | !item        | !unknown
    frozen    | pause at 60.1   | !suspended        | !suspended   | !item        | !unknown
    frozen    | seek 60         | !suspended        | !suspended   | !item        | !unknown
    frozen    | seek 70         | !suspended        | !suspended   | !item        | !unknown
    frozen    | seek 70 at once | !suspended        | !suspended   | !item        | !unknown
    frozen    | rate ×2         | !suspended        | !suspended   | !item        | !unknown
    frozen    | suspend         | ~                 | ~            | ~            | !unknown
    frozen    | resume          | !number           | preparing 60 | !number      | !unknown
    frozen    | resume at 70    | !number           | preparing 70 | !number      | !unknown
    frozen    | ready           | ~                 | ~            | !item        | !unknown
    frozen    | ready late      | !stale            | !stale       | !item        | !unknown
    frozen    | at end          | !suspended        | !suspended   | !item        | !unknown
    frozen    | at end late     | !suspended        | !suspended   | !item        | !unknown

    starting  | open            | =                 | =            | ~            | !unknown
    starting  | open at 9       | =                 | =            | ~            | !unknown
    starting  | close           | ~                 | ~            | ~            | !unknown
    starting  | play            | =                 | !suspended   | !item        | !unknown
    starting  | play ×2         | starting 60 ×2.0  | !suspended   | !item        | !unknown
    starting  | play at once    | =                 | !suspended   | !item        | !unknown
    starting  | pause           | paused 60         | !suspended   | !item        | !unknown
    starting  | pause at 60.1   | paused 60         | !suspended   | !item        | !unknown
    starting  | seek 60         | preparing 60      | !suspended   | !item        | !unknown
    starting  | seek 70         | preparing 70      | !suspended   | !item        | !unknown
    starting  | seek 70 at once | starting 70       | !suspended   | !item        | !unknown
    starting  | rate ×2         | starting 60 ×2.0  | !suspended   | !item        | !unknown
    starting  | suspend         | ~                 | ~            | ~            | !unknown
    starting  | resume          | !number           | ~            | !number      | !unknown
    starting  | resume at 70    | !number           | preparing 70 | !number      | !unknown
    starting  | ready           | =                 | =            | !item        | !unknown
    starting  | ready late      | !stale            | !stale       | !item        | !unknown
    starting  | at end          | ~                 | !suspended   | !item        | !unknown
    starting  | at end late     | !stale            | !suspended   | !item        | !unknown

    playing   | open            | =                 | =            | ~            | !unknown
    playing   | open at 9       | =                 | =            | ~            | !unknown
    playing   | close           | ~                 | ~            | ~            | !unknown
    playing   | play            | =                 | !suspended   | !item        | !unknown
    playing   | play ×2         | playing 60 ×2.0   | !suspended   | !item        | !unknown
    playing   | play at once    | =                 | !suspended   | !item        | !unknown
    playing   | pause           | paused 60         | !suspended   | !item        | !unknown
    playing   | pause at 60.1   | paused 60         | !suspended   | !item        | !unknown
    playing   | seek 60         | preparing 60      | !suspended   | !item        | !unknown
    playing   | seek 70         | preparing 70      | !suspended   | !item        | !unknown
    playing   | seek 70 at once | starting 70       | !suspended   | !item        | !unknown
    playing   | rate ×2         | playing 60 ×2.0   | !suspended   | !item        | !unknown
    playing   | suspend         | ~                 | ~            | ~            | !unknown
    playing   | resume          | !number           | ~            | !number      | !unknown
    playing   | resume at 70    | !number           | preparing 70 | !number      | !unknown
    playing   | ready           | =                 | =            | !item        | !unknown
    playing   | ready late      | !stale            | !stale       | !item        | !unknown
    playing   | at end          | ~                 | !suspended   | !item        | !unknown
    playing   | at end late     | !stale            | !suspended   | !item        | !unknown

    ended     | open            | =                 | =            | ~            | !unknown
    ended     | open at 9       | =                 | =            | ~            | !unknown
    ended     | close           | ~                 | ~            | ~            | !unknown
    ended     | play            | preparing 0       | !suspended   | !item        | !unknown
    ended     | play ×2         | preparing 0 ×2.0  | !suspended   | !item        | !unknown
    ended     | play at once    | starting 0        | !suspended   | !item        | !unknown
    ended     | pause           | =                 | !suspended   | !item        | !unknown
    ended     | pause at 60.1   | =                 | !suspended   | !item        | !unknown
    ended     | seek 60         | =                 | !suspended   | !item        | !unknown
    ended     | seek 70         | paused 70         | !suspended   | !item        | !unknown
    ended     | seek 70 at once | paused 70         | !suspended   | !item        | !unknown
    ended     | rate ×2         | ended 60 ×2.0     | !suspended   | !item        | !unknown
    ended     | suspend         | ~                 | ~            | ~            | !unknown
    ended     | resume          | !number           | ~            | !number      | !unknown
    ended     | resume at 70    | !number           | paused 70    | !number      | !unknown
    ended     | ready           | =                 | =            | !item        | !unknown
    ended     | ready late      | !stale            | !stale       | !item        | !unknown
    ended     | at end          | =                 | !suspended   | !item        | !unknown
    ended     | at end late     | =                 | !suspended   | !item        | !unknown
    """

  @Test(arguments: Row.read(table))
  func `the table holds`(row: Row) throws {
    for (person, expected) in row.outcomes {
      var stage = try #require(try Self.stage(row.phase))
      let command = try #require(Self.command(row.command, stage.playback.timelines[film]?.seq))
      let before = stage.playback
      let outcome: String
      do throws(PlaybackRejection) {
        let events = try stage.apply(command, by: person)
        let isSame = stage.playback.timelines[film] == before.timelines[film]
        outcome = events.isEmpty ? "=" : isSame ? "~" : stage.describe()
      } catch {
        #expect(stage.playback == before)
        outcome = Self.refusal(error)
      }
      #expect(outcome == expected, "\(person)")
    }
  }

  static func refusal(_ rejection: PlaybackRejection) -> String {
    switch rejection {
    case .unknownParticipant: "!unknown"
    case .staleItem: "!item"
    case .staleReport: "!stale"
    case .suspendedLocalOnly: "!suspended"
    case .unknownSuspension: "!number"
    case .tooManySuspensions, .tooManyTimelines: "!limit"
    }
  }

  @Test func `the table has every phase and every command`() {
    let rows = Row.read(Self.table)
    #expect(rows.count == Self.phases.count * Self.commands.count)
    #expect(Set(rows.map { $0.testDescription }).count == rows.count)
  }

  static let phases = ["empty", "paused", "preparing", "frozen", "starting", "playing", "ended"]
  static let commands = [
    "open", "open at 9", "close", "play", "play ×2", "play at once", "pause", "pause at 60.1",
    "seek 60", "seek 70", "seek 70 at once", "rate ×2", "suspend", "resume", "resume at 70",
    "ready", "ready late", "at end", "at end late",
  ]

  static func command(_ name: String, _ seq: Int?) -> PlaybackCommand? {
    let seq = seq ?? 0
    return switch name {
    case "open": .transition(to: film)
    case "open at 9": .transition(to: film, proposing: .init(mediaTime: .seconds(9), rate: .normal))
    case "close": .transition(to: nil)
    case "play": .play(film)
    case "play ×2": .play(film, rate: Rate(2))
    case "play at once": .play(film, immediately: true)
    case "pause": .pause(film)
    case "pause at 60.1": .pause(film, at: .seconds(60.1))
    case "seek 60": .seek(film, to: .seconds(60))
    case "seek 70": .seek(film, to: .seconds(70))
    case "seek 70 at once": .seek(film, to: .seconds(70), immediately: true)
    case "rate ×2": Rate(2).map { .setRate(film, $0) }
    case "suspend": .suspend(.userActionRequired)
    case "resume": .endSuspension(1)
    case "resume at 70": .endSuspension(1, proposing: .seconds(70))
    case "ready": .ready(film, seq: seq)
    case "ready late": .ready(film, seq: seq - 1)
    case "at end": .reportEnd(film, seq: seq)
    case "at end late": .reportEnd(film, seq: seq - 1)
    default: nil
    }
  }

  /// The film in that phase at 60 s, and everybody of the table in their places.
  static func stage(_ phase: String) throws -> PlaybackStage? {
    var stage = PlaybackStage(.keepGoing, ann, ben, sue, eve)
    try stage.apply(.suspend(.audioSessionInterrupted), by: sue)
    try stage.open(trailer, eve)
    guard phase != "empty" else { return stage }
    try stage.open(film, ann, ben, proposing: .init(mediaTime: .seconds(60)))
    try stage.open(film, sue)
    guard phase != "paused" else { return stage }
    try stage.apply(.play(film), by: ann)
    switch phase {
    case "preparing": return stage
    case "frozen":
      stage.lose(ann)
      stage.lose(ben)
      return stage
    default:
      try stage.ready(ann)
      try stage.ready(ben)
    }
    guard phase != "starting" else { return stage }
    stage.pass(stage.conditions.lead)
    guard phase != "playing" else { return stage }
    let seq = try stage.timeline().seq
    try stage.apply(.reportEnd(film, seq: seq), by: ann)
    try stage.apply(.reportEnd(film, seq: seq), by: ben)
    return phase == "ended" ? stage : nil
  }

  /// One line of the table.
  struct Row: Sendable, CustomTestStringConvertible {
    let phase: String
    let command: String
    let outcomes: [(ParticipantID, String)]
    var testDescription: String { "\(phase), \(command)" }

    static func read(_ table: String) -> [Row] {
      table.split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "|").map { cell in
          cell.split(separator: " ").joined(separator: " ")
        }
        guard cells.count == 6, cells[0] != "phase" else { return nil }
        let people = [ann, sue, eve, ParticipantID("nobody")]
        let outcomes = zip(people, cells.dropFirst(2))
        return Row(phase: cells[0], command: cells[1], outcomes: Array(outcomes))
      }
    }
  }
}
