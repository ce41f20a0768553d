import JSON
import Vocabulary

/// A command of mpv's JSON IPC; only the ones used here (mpv 0.35 manual, "List of Input
/// Commands").
enum MpvCommand: Equatable, Sendable {
  case get(MpvProperty)
  case observe(MpvProperty)
  case ignore(MpvProperty)
  case setFlag(MpvProperty, Bool)
  case setNumber(MpvProperty, Double)
  case seek(to: MediaTime)
  case showText(String)
  case load(url: String, startingAt: MediaTime?)
  case stop
  case quit

  /// How long a text is shown, in milliseconds.
  private static let readingTime: Int64 = 3000

  /// Writes the command as a line with this request number; mpv's reply carries the same number.
  func write(id: Int64, to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .load(let url, let position): Self.load(url, position, to: &writer)
      default: writer.array("command") { writeWords(to: &$0) }
      }
      writer.field("request_id", id)
    }
    writer.endLine()
  }

  /// Uses named arguments, because mpv 0.38 changed their order.
  private static func load(_ url: String, _ position: MediaTime?, to writer: inout JSONWriter) {
    writer.object("command") { writer in
      writer.field("name", "loadfile")
      writer.field("url", url)
      guard let position, position > .zero else { return }
      writer.object("options") { $0.field("start", position.plainSeconds) }
    }
  }

  private func writeWords(to writer: inout JSONWriter) {
    switch self {
    case .get(let property):
      writer.element("get_property")
      writer.element(property.rawValue)
    case .observe(let property):
      writer.element("observe_property")
      writer.element(property.observationID)
      writer.element(property.rawValue)
    case .ignore(let property):
      writer.element("unobserve_property")
      writer.element(property.observationID)
    case .setFlag(let property, let value):
      writer.element("set_property")
      writer.element(property.rawValue)
      writer.element(value)
    case .setNumber(let property, let value):
      writer.element("set_property")
      writer.element(property.rawValue)
      writer.element(value)
    case .seek(let position):
      writer.element("seek")
      writer.literal(position.plainSeconds)
      writer.element("absolute+exact")
    case .showText(let text):
      writer.element("show-text")
      writer.element(text)
      writer.element(Self.readingTime)
    case .load: break
    case .stop: writer.element("stop")
    case .quit: writer.element("quit")
    }
  }
}

extension MediaTime {
  /// Seconds as a decimal without an exponent, because mpv's options take none.
  fileprivate var plainSeconds: String {
    let position = max(microseconds, 0)
    let fraction = String(position % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return "\(position / 1_000_000).\(zeros)\(fraction)"
  }
}

/// The properties of mpv that are read, set or observed here, by mpv's names.
enum MpvProperty: String, CaseIterable, Sendable {
  case pause
  case speed
  /// Whether mpv keeps the pitch of the sound at other speeds.
  case pitchCorrection = "audio-pitch-correction"
  /// The item's duration or, if mpv does not know it, as of a live stream, how much it has read so
  /// far; see ``MpvCache/knows(_:)``.
  case duration
  case cache = "demuxer-cache-state"
  /// Whether mpv can seek beyond what it has read.
  case seekable
  case endReached = "eof-reached"
  case pausedForCache = "paused-for-cache"
  /// The number of the selected audio track, none if there is none; known before playback starts.
  case soundTrack = "aid"
  /// The position of the sound. It advances smoothly (measured: within 0.1 ms), and is unavailable
  /// until playback first starts from the beginning of an item.
  case soundPosition = "audio-pts"
  /// The start of the frame last handed to the screen; advances in steps of frames, see
  /// ``FrameDelay``.
  case framePosition = "time-pos"
  /// Frames per second as stated in the file.
  case frameRate = "container-fps"

  /// The number under which mpv reports its changes.
  var observationID: Int { Self.allCases.firstIndex(of: self).map { $0 + 1 } ?? 0 }
}
