import Coordination
import Transports
import Vocabulary
import Wire

/// What a server counts about itself, beside what its connections count.
struct ServerMetrics {
  /// How often peers were refused something, by the code.
  private(set) var refusals: [ErrorCode: Int] = [:]
  /// How long the journal took to keep what it was given.
  private(set) var appendTimes = Histogram(bounds: Self.appendBounds)
  /// How many appends the journal has not answered.
  private(set) var appendCount = 0

  /// From memory's immediate answer over a fast disk's synchronisation to a disk that is stuck.
  private static let appendBounds = [
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
  ].map(Duration.microseconds)

  mutating func countRefusal(_ code: ErrorCode) { refusals[code, default: 0] += 1 }

  mutating func beginAppend() { appendCount += 1 }

  /// Notes an answer of the journal; only what it keeps says how long that takes.
  mutating func endAppend(_ outcome: AppendOutcome, after time: Duration) {
    appendCount -= 1
    if outcome == .kept { appendTimes.note(time) }
  }
}

extension MatineeServer {
  /// Adds what the coordinator and the journal have to do.
  package func addFigures(to text: inout OpenMetricsText) {
    text.gauge("groups", "Groups with members.", coordinator.groupCount)
    text.gauge("sessions", "Sessions that live.", coordinator.sessionCount)
    text.gauge(
      "spectators", "Spectators of sessions with an audience.", coordinator.spectatorCount)
    text.gauge(
      "linked_peers", "Peers that came in at servers in front.", edge.links?.peerCount ?? 0)
    text.family(
      "server_peers", .gauge, "Connections that people have at a server in front.", by: "server",
      Dictionary(
        edge.links?.states.map { ($0.id.text, $0.peers) } ?? [], uniquingKeysWith: +
      ).sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    text.gauge("journal_bytes", unit: "bytes", "The journal's size.", journalBytes)
    text.gauge("journal_waiting", "Appends that the journal has not answered.", counted.appendCount)
    text.histogram(
      "journal_append_seconds", "How long the journal takes to keep what it is given.",
      counted.appendTimes)
    text.family(
      "refusals", .counter, "Refusals and closings, by their code.", by: "code",
      counted.refusals.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 })
    text.histogram(
      "apart_seconds", "How far players report to be from their group's position.",
      coordinator.apart)
  }
}

extension EdgeServer {
  /// The server's figures at this moment, as OpenMetrics' text.
  var metrics: String {
    var text = OpenMetricsText()
    text.info("build", "The program.", ("version", MatineeVersion.text))
    addFigures(to: &text)
    edge.addFigures(to: &text)
    return text.text
  }
}

extension Edge {
  /// Adds how many are connected, what they say and hear, and what waits for them.
  fileprivate func addFigures(to text: inout OpenMetricsText) {
    text.family(
      "peers", .gauge, "Connections of peers.", by: "dialect",
      lists.map { ($0.dialect, count(of: $0.list)) })
    addTraffic(to: &text)
    text.gauge(
      "backlog_peers", "Peers for whom bytes wait, readers of films among them.", backlogs.count)
    text.gauge("backlog_bytes", unit: "bytes", "Bytes that wait for peers.", backlogs.bytes)
    text.counter(
      "address_rests", "Times that an address had used up its share of the server's time.",
      restCount)
  }

  private func addTraffic(to text: inout OpenMetricsText) {
    func add(_ name: String, unit: String? = nil, _ help: String, _ part: (Traffic) -> Int) {
      text.family(
        name, .counter, unit: unit, help, by: "dialect",
        lists.map { ($0.dialect, part($0.list.traffic)) })
    }
    add("deliveries", "Messages that were handed to peers' streams.", \.messagesSent)
    add("sent_bytes", unit: "bytes", "Bytes that were handed to peers' streams.", \.bytesSent)
    add("received_lines", "Messages that arrived.", \.linesReceived)
    add("received_bytes", unit: "bytes", "Bytes that arrived.", \.bytesReceived)
    add("dropped_messages", "Droppable messages that slow peers did not get.", \.messagesDropped)
  }
}
