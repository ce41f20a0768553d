import EventLoops
public import GroupSessions
import Participation
import Playback
import Players
public import Vocabulary

/// The player that a client has itself: mpv, or the simulated one of ``ClientOptions/Playing``.
///
/// In a session the group drives it. Without a session it plays what one person watches alone, and
/// these verbs drive it; in a session use a ``PlaybackCoordinator``, since the group corrects a player
/// that is moved past it. For an app's own player, and for none, they do nothing.
public struct LocalPlayer: Sendable {
  /// What a player said of itself last.
  public struct Reading: Hashable, Sendable {
    /// Where it was, at most about 100 ms ago.
    public let place: MediaTime
    /// Whether it runs.
    public let isRunning: Bool
  }

  /// Why a player is gone.
  public enum End: Hashable, Sendable {
    /// The person closed it.
    case closedByPerson
    /// It ended by itself, or could not be started.
    case failed(String)
  }

  private let mailbox: LoopMailbox<ClientHub>
  /// Why the player is gone; `nil` while it is there.
  ///
  /// The session goes on without it.
  public let end: Observed<End?>

  init(_ mailbox: LoopMailbox<ClientHub>, _ end: Observed<End?>) {
    self.mailbox = mailbox
    self.end = end
  }

  /// Where the player is; `nil` with nothing open.
  public func reading() async -> Reading? {
    await mailbox.value(otherwise: nil) { hub in
      hub.participant?.playerState.reading.map {
        Reading(place: $0.place, isRunning: $0.isRunning)
      }
    }
  }

  /// Names this device's own copy of an item, such as a file: it is opened in place of the URL that the
  /// session has for the item.
  ///
  /// It counts from the next time the item is opened.
  public func setOwnCopy(of item: ItemID, at url: String) {
    mailbox.post { $0.participant?.ownCopies[item] = url }
  }

  /// Opens media, and stands paused at its start.
  ///
  /// What it is told before it has opened is lost; ``reading()`` says when it has.
  public func load(_ media: MediaItem) { order(.load(media)) }

  /// Puts away what is open.
  public func unload() { order(.unload) }

  /// Runs from where the player stands, at this factor of normal speed.
  public func play(rate: Double = 1) { order(.carryOut(.play(rate: rate))) }

  /// Stops where the player is.
  public func pause() { order(.carryOut(.pause)) }

  /// Goes to a place.
  public func seek(to place: MediaTime) { order(.carryOut(.seek(to: place))) }

  /// Runs at this factor of normal speed from now on, or once it runs.
  public func setRate(_ rate: Double) { order(.carryOut(.setRate(rate))) }

  private func order(_ order: Client.PlayerOrder) {
    mailbox.post { $0.participant?.order(order) }
  }
}

extension LocalPlayer.End {
  init(_ reason: PlayerCloseReason) {
    switch reason {
    case .quit: self = .closedByPerson
    case .failed(let why): self = .failed(why)
    }
  }
}
