import GroupSessions
import Playback
import Vocabulary
import Wire

/// The cost of decoding a command and encoding its event, in this process without a server.
struct CodecCost {
  let effort: Effort

  private static let target = Figure.Target.atMost(2.0)

  func measure(into section: inout Section) {
    var requests = Requests()
    let place = MediaTime(microseconds: 601_000_000)
    let line = encode(requests.next(.playback(nil, .pause(Requests.film, at: place)))).dropLast()
    let event = ServerMessage.event(
      SessionID("s-0123456789ab"), seq: 4711, at: Instant(microseconds: 1_700_000_000_000_000),
      .playback(
        .timelineSet(
          Requests.film, .paused(at: place), rate: .normal, action: .pause,
          by: ParticipantID("p-0123456789ab"))))
    let decoding = decodingTime(of: Array(line))
    let encoding = encodingTime(of: event)
    section.figures += [
      Figure(
        name: "decode a command and encode its event", value: decoding + encoding, unit: "µs",
        target: Self.target),
      Figure(
        name: "decode a pause", value: decoding, unit: "µs", detail: "\(line.count) bytes"),
      Figure(
        name: "encode its event", value: encoding, unit: "µs",
        detail: "\(encode(event).count) bytes"),
    ]
  }

  /// The time to decode one line, in microseconds.
  private func decodingTime(of line: [UInt8]) -> Double {
    var decoder = ClientLineDecoder(limits: Limits())
    return median {
      for _ in 0..<effort.codings {
        guard case .success(.request) = Self.decode(line, with: &decoder) else {
          preconditionFailure("the line of a request did not decode as one")
        }
      }
    }
  }

  private static func decode(
    _ line: [UInt8], with decoder: inout ClientLineDecoder
  ) -> Result<ClientMessage, MalformedLine> {
    do throws(MalformedLine) {
      return .success(try decoder.decode(line.span))
    } catch {
      return .failure(error)
    }
  }

  /// The time to encode one message, in microseconds.
  private func encodingTime(of message: ServerMessage) -> Double {
    var byteCount = 0
    let time = median {
      for _ in 0..<effort.codings { byteCount += encode(message).count }
    }
    precondition(byteCount > 0, "nothing was encoded")
    return time
  }

  private func median(_ codings: () -> Void) -> Double {
    (0..<effort.repetitions).map { _ in
      ContinuousClock().measure(codings).nanoseconds / 1000 / Double(effort.codings)
    }.median
  }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}

/// The amount of measuring: enough for figures to quote, or a quick first look.
struct Effort {
  /// The repetitions of each measurement; the median is reported.
  var repetitions: Int
  /// The approximate number of deliveries in one repetition.
  var deliveries: Int
  /// The session sizes for the fan-out.
  var audiences: [Int]
  var idlePeers: Int
  var pauses: Int
  /// Commands in one repetition of the codec measurement.
  var codings: Int
  /// How long commands are sent to measure throughput and latency.
  var trafficTime: Duration
  /// How long commands are sent in one repetition of the journal measurement.
  var journalTime: Duration
  /// The sessions in the file that a server recovers; 10 000 sessions have a million events.
  var recordedSessions: Int
  /// Events in one measurement of messages.
  var events: Int
  /// The number of people in the larger group.
  var people: Int
  /// Peers that join one session at once.
  var joiners: Int
  /// The number of rounds in which they join.
  var joinRounds: Int
  var comparison: ComparisonEffort
  /// The address of a database with a journal's tables; `nil` if there is none.
  var database: String?

  static let full = Effort(
    repetitions: 9, deliveries: 40_000, audiences: [10, 100, 1000, 5000], idlePeers: 9_000,
    pauses: 200, codings: 50_000, trafficTime: .seconds(8), journalTime: .seconds(1),
    recordedSessions: 10_000, events: 8_000, people: 100_000, joiners: 1000,
    joinRounds: 3, comparison: .full)

  static let quick = Effort(
    repetitions: 5, deliveries: 20_000, audiences: [10, 100, 1000], idlePeers: 2_000, pauses: 50,
    codings: 20_000, trafficTime: .seconds(2), journalTime: .milliseconds(400),
    recordedSessions: 1_000, events: 2_000, people: 20_000, joiners: 200,
    joinRounds: 1, comparison: .quick)
}
