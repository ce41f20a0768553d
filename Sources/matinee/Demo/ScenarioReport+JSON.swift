import JSON
import Scenarios
import Stages
import Vocabulary

extension ScenarioReport {
  /// The report as one line of JSON, with times in seconds and distances in milliseconds.
  ///
  /// Each figure of real players names its unit; an unknown figure has no value.
  func json(of stage: String, _ figures: [PlayheadFigure] = []) -> String {
    var writer = JSONWriter()
    writer.object { object in
      object.field("scenario", scenario)
      object.field("stage", stage)
      object.field("passed", hasPassed)
      object.field("seconds", duration.inSeconds)
      object.field("met", metCount)
      if figures.isEmpty, let spread {
        object.object("apart") { apart in
          apart.field("looks", spread.looks)
          apart.field("median", spread.median.inMilliseconds)
          apart.field("percentile95", spread.percentile95.inMilliseconds)
          apart.field("worst", spread.worst.inMilliseconds)
        }
      }
      if !figures.isEmpty {
        MachineLoad.now.map { object.field("load", $0) }
        object.array("playheads") { array in
          for figure in figures { array.object { figure.write(to: &$0) } }
        }
      }
      object.array("timeline") { array in
        for entry in entries { array.object { entry.write(to: &$0) } }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension PlayheadFigure {
  fileprivate func write(to object: inout JSONWriter) {
    object.field("phase", phase)
    object.field("figure", name)
    object.field("value", value)
    object.field("unit", unit.rawValue)
    if let target { object.field("target", target) }
    if let isMet { object.field("met", isMet) }
  }
}

extension TimelineEntry {
  fileprivate func write(to object: inout JSONWriter) {
    object.field("at", at.inSeconds)
    object.field("peers", peers)
    switch event {
    case .did(let text): object.field("did", text)
    case .saw(let text): object.field("saw", text)
    case .met(let text, let delay):
      object.field("met", text)
      object.field("after", delay.inSeconds)
    case .failed(let text, let instead, let line):
      object.field("failed", text)
      object.field("instead", instead)
      object.field("line", line)
    case .broke(let reason): object.field("broke", reason)
    }
  }
}
