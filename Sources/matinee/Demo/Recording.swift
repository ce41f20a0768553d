import JSON
import Players
import Scenarios
import Stages
import Vocabulary
import YAML

/// A demonstration that another program has played: what people did, and where each player was.
///
/// It is JSON Lines, in order of time. The first line is `{"recording": NAME, "at": T}`, the last one
/// `{"end": true, "at": T}`; those between are verbs `{"at", "person", "did"}`, which may begin a
/// phase (`"phase"`, and `"verb"` if a scenario would say it in other words), phases without a verb
/// `{"at", "phase"}`, and readings `{"at", "person", "place"}`, with the `"frame"` on the screen if it
/// is known. All times are in microseconds.
struct Recording {
  /// The file is no recording.
  struct Flaw: Error, Equatable, CustomStringConvertible {
    let file: String
    let line: Int
    let reason: String

    var description: String {
      "\(file):\(line): \(reason); scripts/demo browser makes a recording"
    }
  }

  /// A line of the file.
  private struct Line {
    let at: HostTime
    let name: String?
    let isEnd: Bool
    let person: String?
    let phase: String?
    let did: String?
    let verb: String?
    let position: MediaTime?
    let frame: MediaTime?
  }

  private(set) var start = HostTime(microseconds: 0)
  private(set) var tracks: [String: PlayheadTrack] = [:]
  private(set) var report = ScenarioReport(scenario: "")
  private var hasEnded = false

  /// The longest line, and the longest text in one.
  private static let (lineBytes, textBytes) = (4096, 256)

  /// Reads a file's bytes.
  ///
  /// - Parameter file: its name, for errors.
  init(_ bytes: [UInt8], file: String) throws(Flaw) {
    var parser = JSONParser(maximumBytes: Self.lineBytes)
    var number = 0
    for text in bytes.split(separator: UInt8(ascii: "\n")) {
      number += 1
      let reason: String?
      do throws(DecodingFlaw) {
        reason = take(try Self.line(Array(text), &parser), isFirst: number == 1)
      } catch {
        reason = "\(error)"
      }
      if let reason { throw Flaw(file: file, line: number, reason: reason) }
    }
    guard hasEnded else {
      throw Flaw(file: file, line: number, reason: "the recording has no end")
    }
  }

  private static func line(
    _ text: [UInt8], _ parser: inout JSONParser
  ) throws(DecodingFlaw) -> Line {
    try parser.parse(text.span) { (object) throws(DecodingFlaw) in
      Line(
        at: HostTime(microseconds: try object.int64("at", in: 0...Int64.max / 2)),
        name: try object.optionalString("recording", maximum: textBytes),
        isEnd: try object.optionalBool("end") ?? false,
        person: try object.optionalString("person", maximum: textBytes),
        phase: try object.optionalString("phase", maximum: textBytes),
        did: try object.optionalString("did", maximum: textBytes),
        verb: try object.optionalString("verb", maximum: textBytes),
        position: try object.optionalInt64("place").map { MediaTime(microseconds: $0) },
        frame: try object.optionalInt64("frame").map { MediaTime(microseconds: $0) })
    }
  }

  /// Takes a line in; returns what is wrong with it.
  private mutating func take(_ line: Line, isFirst: Bool) -> String? {
    if isFirst {
      guard let name = line.name else { return "the first line names no recording" }
      (report.scenario, start) = (name, line.at)
      return nil
    }
    let at = line.at - start
    guard at >= report.duration, !hasEnded else { return "the lines are not in order of time" }
    report.duration = at
    hasEnded = line.isEnd
    if let position = line.position, let person = line.person {
      tracks[person, default: PlayheadTrack()].append(
        PlayheadReading(
          position: position, at: line.at, roundTrip: .zero, source: .sound, frame: line.frame))
      return nil
    }
    if let did = line.did, let person = line.person {
      report.entries.append(TimelineEntry(at: at, peers: [person], .did(did)))
    }
    return line.phase.flatMap { begin($0, line, at: at) }
  }

  private mutating func begin(_ phase: String, _ line: Line, at: Duration) -> String? {
    var cues: [ScenarioStep.Cue] = []
    if let did = line.did, let person = line.person {
      do throws(PhraseError) {
        cues = [ScenarioStep.Cue(person, try Verb(line.verb ?? did), text: did)]
      } catch {
        return "\(error)"
      }
    }
    report.phases.append(ScenarioReport.Phase(phase, at: at, cues: cues))
    return nil
  }
}

extension Recording {
  /// How far apart the players were, by phase.
  var figures: [PlayheadFigure] {
    PlayheadFigures.all(of: report, from: start, tracks, aimingAt: .pages)
  }

  /// The same over time.
  var plot: Plot? { Plot(of: report, from: start, tracks) }
}
