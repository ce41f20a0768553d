import GroupSessions
import Playback
import Vocabulary

// What this side reports to the server, each thing once, and what the server made of it.
//
// A report that the server did not answer in time is made again, because nothing else repeats it
// and the others would wait for this participant, or count it as absent, until the item changes.

extension PlayerSide {
  /// Takes it that the server did not accept the item as current here, or did not answer.
  mutating func losePlace(
    _ item: ItemID, _ failure: Client.Failure, _ around: Surroundings
  ) -> [Step] {
    if anticipated == item { anticipated = nil }
    if failure == .timedOut, wanted?.item == item { transitioned = nil }
    return refollow(around)
  }

  // MARK: Ready reports

  /// Reports ready if this answers a barrier or ends a suspension that the server imposed.
  mutating func report(ready seq: Int) {
    guard let item = wanted?.item, let timeline = currentTimeline else { return }
    let imposed = standing.last { $0.isImposed }?.id
    if case .preparing = timeline.phase {} else if imposed == nil { return }
    let answer = ReadyReport(item: item, seq: seq, imposed: imposed)
    guard answered != answer else { return }
    answered = answer
    askPlayback(.ready(item, seq: seq, duration: player.duration), .ready(answer))
  }

  /// Ends an imposed suspension once this player can follow; at a barrier the follower does this.
  mutating func answerImposed() {
    guard standing.contains(where: \.isImposed), player.isSettled, let timeline = currentTimeline
    else { return }
    switch timeline.phase {
    case .preparing: return
    case .playing: guard player.isRunning else { return }
    case .paused, .ended: break
    }
    report(ready: timeline.seq)
  }

  /// Reports ready again, unless another report or another event of the timeline came since.
  mutating func reportAgain(_ report: ReadyReport, _ around: Surroundings) -> [Step] {
    turn(around) { side in
      guard side.answered == report else { return }
      side.answered = nil
      guard side.player.isSettled, side.currentTimeline?.seq == report.seq else { return }
      side.report(ready: report.seq)
    }
  }

  // MARK: The follower's suspensions

  /// Takes the number that the server gave to a suspension of the follower; `nil` if it has none.
  mutating func nameSuspension(
    _ reason: SuspensionReason, _ number: SuspensionID?, _ around: Surroundings
  ) -> [Step] {
    turn(around) {
      guard let number else { return $0.ownSuspensions.drop(reason) }
      $0.endOnServer($0.ownSuspensions.name(reason, number, standing: $0.standing))
    }
  }

  mutating func endOnServer(_ suspension: SuspensionID?) {
    guard let suspension else { return }
    askPlayback(.endSuspension(suspension), .endOfSuspension(suspension, of: around.seat?.id))
  }

  /// Asks again to end a suspension, if it is still open on the server.
  mutating func endAgain(_ suspension: SuspensionID, _ around: Surroundings) -> [Step] {
    turn(around) { side in
      guard side.standing.contains(where: { $0.id == suspension }) else { return }
      side.endOnServer(suspension)
    }
  }
}
