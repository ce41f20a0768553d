import ArgumentParser

/// The parts of the benchmark, in their order.
enum Part: String, CaseIterable, ExpressibleByArgument {
  case codec
  case coordinator
  case access
  case memory
  case tls
  case webSocket = "websocket"
  case sessions
  case pause
  case fanOut = "fan-out"
  case journal
  case database
  case fronts
  case audience
  case joins
  case messages
  case syncplay

  /// Whether the part runs by default; what needs a server of somebody else's does not.
  var isUsual: Bool { self != .syncplay && !needsDatabase }

  var needsDatabase: Bool { [.database, .fronts, .audience].contains(self) }

  /// Measures the part; the section contains the reason for a failure.
  ///
  /// - Parameter tell: is told about the progress of a long part.
  func measure(
    _ effort: Effort, on stage: Stage, tell: @escaping (String) -> Void
  ) -> Section {
    var section = Section(title: title, method: method)
    do throws(BenchError) {
      switch self {
      case .codec: CodecCost(effort: effort).measure(into: &section)
      case .coordinator: CoordinatorCost(effort: effort).measure(into: &section)
      case .access: AccessCost(effort: effort).measure(into: &section)
      case .memory: try IdleMemory(stage: stage, effort: effort).measure(into: &section)
      case .tls: try EncryptionCost(stage: stage, effort: effort).measure(into: &section)
      case .webSocket: try WebSocketCost(stage: stage, effort: effort).measure(into: &section)
      case .sessions: try SmallSessions(stage: stage, effort: effort).measure(into: &section)
      case .pause: try PauseReach(stage: stage, effort: effort).measure(into: &section)
      case .fanOut: try FanOut(stage: stage, effort: effort).measure(into: &section)
      case .journal: try JournalCost(stage: stage, effort: effort).measure(into: &section)
      case .database:
        guard let database = effort.database else { throw .journal("--database is missing") }
        try DatabaseCost(stage: stage, effort: effort, database: database)
          .measure(into: &section)
      case .fronts:
        guard let database = effort.database else { throw .journal("--database is missing") }
        try FrontCost(stage: stage, effort: effort, database: database).measure(into: &section)
      case .audience:
        guard let database = effort.database else { throw .journal("--database is missing") }
        try AudienceCost(stage: stage, effort: effort, database: database).measure(into: &section)
      case .joins: try JoinCost(stage: stage, effort: effort).measure(into: &section)
      case .messages:
        MessageCost(effort: effort).measure(into: &section)
        try PeopleMemory(stage: stage, effort: effort).measure(into: &section)
      case .syncplay:
        try ServerComparison(stage: stage, effort: effort.comparison, tell: tell)
          .measure(into: &section)
      }
    } catch {
      section.failure = "\(error)"
    }
    return section
  }

  private var title: String {
    switch self {
    case .codec: "Codec"
    case .coordinator: "Coordinator"
    case .access: "Proving who somebody is"
    case .memory: "Memory of an idle peer"
    case .tls: "Encryption, beside none"
    case .webSocket: "WebSocket, beside lines over TCP"
    case .sessions: "200 sessions of 5"
    case .pause: "A pause in a session of 1000"
    case .fanOut: "Events of one session, beside a relay in plain C"
    case .journal: "The durable journal, beside none"
    case .database: "A journal in PostgreSQL, beside one in a file"
    case .fronts: "A server in front, beside the one that decides"
    case .audience: "A large audience, at one server and at several"
    case .joins: "A crowd that joins at once, and many commands in flight"
    case .messages: "An event, and 200 campaigns"
    case .syncplay: "Syncplay's own server and this one"
    }
  }

  private var method: String {
    switch self {
    case .codec: "One line in, one line out, in this process; medians of whole passes."
    case .coordinator:
      "From the decoded command to the outputs, journal's answer included, in this process."
    case .access:
      "From the decoded line to the outputs, journal's answer included, in this process; medians."
    case .memory:
      "Growth of the memory written to, divided by the peers; the kernel's share is not in it."
    case .tls:
      """
      Processor time of the server for each peer and event, each round once all have got the one \
      before; medians of pairs. The growth of memory is as above.
      """
    case .webSocket:
      """
      Processor time of the server for each peer and event, each round once all have got the one \
      before; medians of pairs.
      """
    case .sessions: "Seeks of one peer a session; receipts are counted at all."
    case .pause: "Everyone has the film current; each pause once all have got the play before it."
    case .fanOut:
      """
      Processor time of the server for each peer and event; the relay sends lines as long, to as
        many, at the same pace, each round once all have got the one before. Medians of pairs.
      """
    case .journal:
      """
      200 sessions of 5, seeks of one peer a session; processor time is the whole server's, of its \
      loop and its store. Medians of rounds in turn.
      """
    case .database:
      """
      As above, with --durability power for the file; PostgreSQL runs on the same machine, and its \
      own processor time is not counted. Medians of rounds in turn.
      """
    case .fronts:
      """
      Both have their journal in PostgreSQL, on the same machine. 20 sessions of 5, seeks of one peer \
      a session; then seeks in a session of 1000. Processor time; medians of rounds in turn.
      """
    case .audience:
      """
      Seeks in a session with 200 participants; processor time of the servers for each peer and \
      event. The growth of a joining's cost is measured in this process, from the decoded hello to \
      the encoded answers.
      """
    case .joins:
      """
      With the durable journal; all peers ask at once. The growth of a join's cost is measured in \
      this process, from the decoded command to the outputs.
      """
    case .messages:
      """
      From the decoded event to the outputs, journal's answer included, in this process; people at \
      random of 10000, with a history each. Memory is that of a process of its own.
      """
    case .syncplay:
      """
      Debian's syncplay clients with real mpv, measured from outside; medians of rounds, with the \
      least and the most.
      """
    }
  }
}
