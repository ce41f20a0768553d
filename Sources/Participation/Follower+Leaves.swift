import Playback
import Vocabulary

/// When the player steps out by itself, other than for trouble: for an advertisement, and for a
/// speed that it does not have.
extension Follower {
  /// Steps out where an advertisement stitched into the item begins, and back in behind it.
  ///
  /// In one the player is left to itself: nobody skips it, and nothing pulls at it.
  ///
  /// - Returns: what is to be done; `nil` where the place is none of an advertisement's business.
  mutating func passInterstitial(at place: MediaTime, at now: HostTime) -> [Output]? {
    guard let timeline else { return nil }
    let range = timeline.interstitials.range(at: place)
    if ownSuspension == .playingInterstitial {
      guard range == nil else { return [] }
      line = nil
      let outputs = endOwnSuspension()
      return outputs + catchUp(at: now)
    }
    guard range != nil, case .running = stage, isRunning, !isDetached else { return nil }
    let outputs = leaveAlone(at: now)
    ownSuspension = .playingInterstitial
    return outputs + [.suspend(.playingInterstitial)]
  }

  /// Steps out while the group runs at a speed that this player does not have, instead of
  /// seeking after it for ever.
  ///
  /// - Returns: what is to be done; `nil` where speed is no obstacle.
  mutating func stepOutForRate(at now: HostTime) -> [Output]? {
    guard lacksRate else { return nil }
    let outputs = leaveAlone(at: now)
    ownSuspension = .coordinatedPlaybackNotPossible
    return outputs + [.suspend(.coordinatedPlaybackNotPossible)]
  }

  /// Steps back in once the group runs at a speed that this player has.
  mutating func stepInForRate() -> [Output] {
    // A retreat ends by its own time, and an item that failed with the next one.
    guard ownSuspension == .coordinatedPlaybackNotPossible, retreatEnds == nil, item != nil,
      !lacksRate
    else { return [] }
    line = nil
    return endOwnSuspension()
  }

  private var lacksRate: Bool {
    guard let item, let timeline else { return false }
    return !item.canChangeRate && timeline.rate != .normal
  }
}
