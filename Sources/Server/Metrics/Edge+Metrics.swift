import Transports
import Vocabulary

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
    text.gauge("backlog_bytes", unit: "bytes", "What waits for them.", backlogs.bytes)
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
