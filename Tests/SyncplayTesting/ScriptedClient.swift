/// What a client of Syncplay's does by itself in a script: it obeys each State, and says where its
/// player is.
package struct ScriptedClient: Sendable {
  /// What it is called in the script, and says in its Hello.
  package let name: String
  /// Whether it answers States as clients do.
  package var answers = true
  /// Where its player was when it last spoke, in seconds.
  package private(set) var place = 0.0
  /// When that was.
  package private(set) var placedAt: Double
  private var isPaused = true

  /// A client whose player stands at the start.
  package init(_ name: String, at now: Double) {
    self.name = name
    placedAt = now
  }

  /// Takes in a line that the script has it say: its player is where that says.
  package mutating func note(_ line: JSONTree, at now: Double) {
    guard let playstate = line["State"]?["playstate"] else { return }
    place = playstate["position"]?.number ?? 0
    isPaused = playstate["paused"] != .bool(false)
    placedAt = now
  }

  /// Does what the reference's client does with a line.
  ///
  /// - Returns: what it says to it; `nil` for any but a State, or if it answers none.
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
