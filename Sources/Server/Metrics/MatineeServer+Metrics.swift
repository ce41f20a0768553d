import Coordination
import EventLoops
import Transports
import Vocabulary
import Wire

extension MatineeServer {
  /// The server's figures at this moment, as OpenMetrics' text.
  var metrics: String {
    var text = OpenMetricsText()
    text.info("build", "The program.", ("version", MatineeVersion.text))
    text.gauge("groups", "Groups with members.", coordinator.groupCount)
    text.gauge("sessions", "Sessions that live.", coordinator.sessionCount)
    text.family(
      "peers", .gauge, "Connections of peers.", by: "dialect",
      edge.lists.map { ($0.dialect, edge.count(of: $0.list)) })
    addTraffic(to: &text)
    text.gauge("backlog_peers", "Peers that do not keep up.", edge.backlogs.count)
    text.gauge("backlog_bytes", unit: "bytes", "What waits for them.", edge.backlogs.bytes)
    text.gauge("journal_bytes", unit: "bytes", "The journal's size.", journalBytes)
    text.gauge("journal_waiting", "Appends that the journal has not answered.", counted.appendCount)
    text.histogram(
      "journal_append_seconds", "How long the journal takes to keep what it is given.",
      counted.appendTimes)
    text.family(
      "refusals", .counter, "Refusals and closings, by their code.", by: "code",
      counted.refusals.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 })
    text.counter(
      "address_rests", "Times that an address had used up its share of the server's time.",
      edge.restCount)
    text.histogram(
      "apart_seconds", "How far players report to be from their group's position.",
      coordinator.apart)
    return text.text
  }

  private func addTraffic(to text: inout OpenMetricsText) {
    func add(_ name: String, unit: String? = nil, _ help: String, _ part: (Traffic) -> Int) {
      text.family(
        name, .counter, unit: unit, help, by: "dialect",
        edge.lists.map { ($0.dialect, part($0.list.traffic)) })
    }
    add("deliveries", "Messages that were handed to peers' streams.", \.messagesSent)
    add("sent_bytes", unit: "bytes", "Bytes that were handed to peers' streams.", \.bytesSent)
    add("received_lines", "Messages that arrived.", \.linesReceived)
    add("received_bytes", unit: "bytes", "Bytes that arrived.", \.bytesReceived)
    add("dropped_messages", "Droppable messages that slow peers did not get.", \.messagesDropped)
  }
}
