import JSON

// Of the lines of a crowd all but one in hundreds are States. So they are read in one pass where
// they are written as clients write them; any other is the parser's.

extension SyncplayClientState {
  /// The State that a line holds and nothing else; `nil` says nothing of the line.
  init?(scanning line: Span<UInt8>) {
    var state = SyncplayClientState()
    // Of two fields with the same name the first counts: that is left to the parser, here and below.
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
    let isRead = scanner.object { field in
      if position == nil, field.name("position") {
        position = field.double()
        return position != nil
      }
      if isPaused == nil, field.name("paused") {
        isPaused = field.bool()
        return isPaused != nil
      }
      guard isSeek == nil, field.name("doSeek") else { return false }
      isSeek = field.bool()
      return isSeek != nil
    }
    place = Place(bounding: position ?? 0, isPaused: isPaused, isSeek: isSeek ?? false)
    return isRead
  }

  private mutating func scanPing(_ scanner: inout JSONScanner) -> Bool {
    var trip: Double?
    let isRead = scanner.object { field in
      if echoed == nil, field.name("latencyCalculation") {
        echoed = field.double()
        return echoed != nil
      }
      if stamp == nil, field.name("clientLatencyCalculation") {
        stamp = field.double()
        return stamp != nil
      }
      guard trip == nil, field.name("clientRtt") else { return false }
      trip = field.double()
      return trip != nil
    }
    roundTrip = trip ?? 0
    return isRead
  }

  private mutating func scanCounters(_ scanner: inout JSONScanner) -> Bool {
    scanner.object { field in
      if serverIgnoring == nil, field.name("server") {
        serverIgnoring = field.int()
        return serverIgnoring != nil
      }
      guard clientIgnoring == nil, field.name("client") else { return false }
      clientIgnoring = field.int()
      return clientIgnoring != nil
    }
  }
}
