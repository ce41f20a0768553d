/// A script's Syncplay client: obeys each State and reports its player's position.
package struct ScriptedClient: Sendable {
  /// Its name in the script and in its Hello.
  package let name: String
  /// Whether it answers States like real clients.
  package var answers = true
  /// The player's position when it last spoke, in seconds.
  package private(set) var place = 0.0
  /// When it last spoke.
  package private(set) var placedAt: Double
  private var isPaused = true

  /// Makes a client whose player is paused at the start.
  package init(_ name: String, at now: Double) {
    self.name = name
    placedAt = now
  }

  /// Takes over the position in a line that the script makes it send.
  package mutating func note(_ line: JSONTree, at now: Double) {
    guard let playstate = line["State"]?["playstate"] else { return }
    place = playstate["position"]?.number ?? 0
    isPaused = playstate["paused"] != .bool(false)
    placedAt = now
  }

  /// Reacts to a line like the reference's client.
  ///
  /// - Returns: its answer; `nil` unless the line is a State that it answers.
  package mutating func answer(to line: JSONTree, at now: Double) -> String? {
    guard answers, let state = line["State"], let told = state["playstate"] else { return nil }
    let isSeek = told["doSeek"] == .bool(true)
    let position = told["position"]?.number ?? 0
    let stops = told["paused"] == .bool(true)
    if isSeek, told["setBy"] != .string(name) { place = position }
    if stops, !isPaused, !isSeek { place = position }
    if !isPaused, !isSeek { place += now - placedAt }
    placedAt = now
    isPaused = stops
    let echo = state["ping"]?["latencyCalculation"]?.number
    let server = state["ignoringOnTheFly"]?["server"]?.number
    return #"{"State":{"playstate":{"position":\#(place),"paused":\#(isPaused)},"ping":{"#
      + (echo.map { #""latencyCalculation":\#($0),"# } ?? "")
      + #""clientLatencyCalculation":\#(now),"clientRtt":0}"#
      + (server.map { #","ignoringOnTheFly":{"server":\#(Int($0))}"# } ?? "") + "}}"
  }
}
