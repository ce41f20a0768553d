import Coordination
import EventLoops
import Transports
import Vocabulary
import Wire

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
