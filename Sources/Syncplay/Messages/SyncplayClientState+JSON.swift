import JSON

// With many clients nearly all lines are States. A State in the form that clients write is read in
// one pass; any other line goes to the parser.

extension SyncplayClientState {
  /// The State in a line that contains nothing else; `nil` if the line has to go to the parser.
  init?(scanning line: Span<UInt8>) {
    var state = SyncplayClientState()
    // Of two parts with the same name, the parser takes the first, so duplicates are left to it.
    var (hasPing, hasCounters) = (false, false)
    var scanner = JSONScanner(line)
    let isRead = scanner.object { line in
      line.name("State")
        && line.object { part in
          if state.place == nil, part.name("playstate") { return state.scanPlace(&part) }
          if !hasPing, part.name("ping") {
            hasPing = true
            return state.scanPing(&part)
          }
          guard !hasCounters, part.name("ignoringOnTheFly") else { return false }
          hasCounters = true
          return state.scanCounters(&part)
        }
    }
    guard isRead, scanner.isAtEnd() else { return nil }
    self = state
  }

  private mutating func scanPlace(_ scanner: inout JSONScanner) -> Bool {
    var (position, isPaused, isSeek): (Double?, Bool?, Bool?)
    let isRead = scanner.object { part in
      part.field("position", into: &position) || part.field("paused", into: &isPaused)
        || part.field("doSeek", into: &isSeek)
    }
    place = Place(bounding: position ?? 0, isPaused: isPaused, isSeek: isSeek ?? false)
    return isRead
  }

  private mutating func scanPing(_ scanner: inout JSONScanner) -> Bool {
    var trip: Double?
    let isRead = scanner.object { part in
      part.field("latencyCalculation", into: &echoed)
        || part.field("clientLatencyCalculation", into: &stamp)
        || part.field("clientRtt", into: &trip)
    }
    roundTrip = trip ?? 0
    return isRead
  }

  private mutating func scanCounters(_ scanner: inout JSONScanner) -> Bool {
    scanner.object { part in
      part.field("server", into: &serverIgnoring) || part.field("client", into: &clientIgnoring)
    }
  }
}
