// A peer's random requests.

extension LoadPeer {
  /// How many requests of a peer are in flight at once.
  private static let window = 4
  /// The group whose sessions have an audience.
  static let groupWithAudience = "cedar"
  /// Few, because a session follows at most 32 items.
  private static let films = (1...9).map { "film-\($0).mp4" }

  /// Sends requests while the window has room.
  ///
  /// - Parameter starts: whether this peer starts activities.
  func keepBusy(starts: Bool) {
    guard link == .online else { return }
    if !isMember {
      if awaited.isEmpty { ask("joinGroup", #""group":"\#(group)""#) }
    } else if session == nil {
      guard awaited.isEmpty, isEligible, !isJoining else { return }
      if let offer {
        ask("join", #""session":"\#(offer)""#)
      } else if starts {
        let audience = group == Self.groupWithAudience ? #","audience":true"# : ""
        let activity = activity(title: "begun \(ledger.unique())")
        ask("activate", #""activity":\#(activity)\#(audience)"#)
      }
    } else {
      // After a reconnect, repeated requests may exceed the window; then it sends nothing.
      for _ in awaited.count..<max(Self.window, awaited.count) { askByChance() }
    }
  }

  private func activity(title: String) -> String {
    #"{"type":"watch","metadata":{"title":"\#(title)"},"media":{"url":"\#(film())"}}"#
  }

  private func film() -> String { Self.films.randomElement(using: &chance) ?? "" }

  private func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }

  private func one(of words: [String]) -> String { words.randomElement(using: &chance) ?? "" }

  private func askByChance() {
    guard let state, let me = participant.flatMap({ state.people[$0] }) else { return }
    if let barrier, barrier.item == me.item {
      self.barrier = nil
      ask("ready", #""item":"\#(barrier.item)","answers":\#(barrier.seq)"#)
      return
    }
    switch draw(0..<100) {
    case 0..<30: askOfQueue(state.queue.ids)
    case 30..<60: askOfPlayback(me)
    case 60..<82: talk(to: state.people.keys.sorted())
    default: askOfSession(state, me)
    }
  }

  private func askOfQueue(_ ids: [String]) {
    let entry = #""entry":"\#(one(of: ids))""#
    let place = one(of: [#""end""#, #""next""#, #"{"after":"\#(one(of: ids))"}"#])
    switch draw(0..<30) {
    case _ where ids.count > 40: ask("clearQueue")
    case _ where ids.isEmpty, 0..<12:
      let title = "inserted \(ledger.unique())"
      let media = #""media":[{"url":"\#(film())","title":"\#(title)"},{"url":"\#(film())"}]"#
      ask("insert", ids.isEmpty ? media : media + #","position":\#(place)"#, key: title)
    case 12..<16: ask("move", entry + #","position":\#(place)"#)
    case 16..<20: ask("removeEntry", entry)
    case 20..<22: ask("select", entry)
    case 22: ask("next")
    case 23: ask("previous")
    case 24..<26: ask("setRepeat", #""repeat":"\#(one(of: ["off", "one", "all"]))""#)
    case 26: ask("shuffle")
    case 27: ask("unshuffle")
    default: ask("setAutoAdvance", #""autoAdvance":\#(draw(0..<2) == 0)"#)
    }
  }

  private func askOfPlayback(_ me: SessionState.Person) {
    guard let current = me.item, draw(0..<20) > 0 else {
      ask("transition", #""item":"\#(film())","duration":3600000000"#)
      return
    }
    let item = #""item":"\#(current)""#
    switch draw(0..<30) {
    case 0..<8: ask("play", item + #","immediately":\#(draw(0..<2) == 0)"#)
    case 8..<13: ask("pause", item)
    case 13..<22:
      let place = 1_000_000 + ledger.unique()
      ask("seek", item + #","mediaTime":\#(place),"immediately":true"#, key: "seek \(place)")
    case 22..<25: ask("setRate", item + #","rate":\#(one(of: ["0.5", "1", "1.25", "2"]))"#)
    default:
      if let suspension = me.suspensions.first?.number {
        ask("endSuspension", #""suspension":\#(suspension)"#)
      } else {
        ask("suspend", #""reason":"userIsChangingCurrentTime""#)
      }
    }
  }

  private func talk(to people: [String]) {
    let words = "said \(ledger.unique())"
    let receivers = draw(0..<3) == 0 ? #","to":["\#(one(of: people))"]"# : ""
    ask("send", #""payload":"\#(words)"\#(receivers)"#, key: words)
  }

  private func askOfSession(_ state: SessionState, _ me: SessionState.Person) {
    switch draw(0..<20) {
    case 19:
      let who = draw(0..<2) == 0 ? #","participant":"\#(one(of: state.people.keys.sorted()))""# : ""
      ask("setReadyToStart", #""ready":\#(draw(0..<2) == 0)\#(who)"#)
    case 18:
      let policy = one(of: ["endsWithInitiator", "leavesOnly"])
      ask("setDismissalPolicy", #""dismissalPolicy":"\#(policy)""#)
    case 0..<5:
      let who = one(of: state.people.keys.sorted())
      ask("setRole", #""participant":"\#(who)","role":"\#(one(of: ["host", "guest"]))""#)
    case 5..<8:
      ask("setControl", #""control":"\#(one(of: ["everyone", "everyone", "hostsOnly"]))""#)
    case 8..<11:
      ask("setWaitingPolicy", #""waitingPolicy":"\#(one(of: ["keepGoing", "together"]))""#)
    case 11..<14:
      let title = "set \(ledger.unique())"
      ask("setActivity", #""activity":\#(activity(title: title))"#, key: title)
    case 14..<16: ask(draw(0..<4) == 0 ? "dismiss" : "leave")
    case 16 where draw(0..<6) == 0: ask("end")
    default: ask("suspend", #""reason":"stallRecovery""#)
    }
  }
}
