/// How much is measured: enough for figures to quote, or for a first look.
struct Effort {
  /// How often each measurement is repeated; the median counts.
  var repetitions: Int
  /// Deliveries of one repetition, about.
  var deliveries: Int
  /// The sizes of the sessions of the fan-out.
  var audiences: [Int]
  var idlePeers: Int
  var pauses: Int
  /// Commands of one repetition of the codec.
  var codings: Int
  /// How long commands are sent for throughput and for latency.
  var trafficTime: Duration
  /// How long commands are sent for one repetition beside a journal.
  var journalTime: Duration
  /// The sessions in the file that a server starts with: of 10 000 it has a million events.
  var recordedSessions: Int
  /// Events of one measurement of messages.
  var events: Int
  /// The people that many are.
  var people: Int

  static let full = Effort(
    repetitions: 9, deliveries: 40_000, audiences: [10, 100, 1000, 5000], idlePeers: 9_000,
    pauses: 200, codings: 50_000, trafficTime: .seconds(8), journalTime: .seconds(1),
    recordedSessions: 10_000, events: 8_000, people: 100_000)

  static let quick = Effort(
    repetitions: 5, deliveries: 20_000, audiences: [10, 100, 1000], idlePeers: 2_000, pauses: 50,
    codings: 20_000, trafficTime: .seconds(2), journalTime: .milliseconds(400),
    recordedSessions: 1_000, events: 2_000, people: 20_000)
}
