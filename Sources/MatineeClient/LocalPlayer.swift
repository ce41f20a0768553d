import EventLoops
public import GroupSessions
import Participation
import Players
public import Vocabulary

/// The client's player: mpv, the simulated one, or the app's own that is attached; see
/// ``ClientOptions/Playing``.
///
/// In a session, the group drives it. Without a session it plays what one person watches alone, and
/// these methods drive it. In a session, use a ``PlaybackCoordinator``, because the group corrects
/// a player that is moved directly. The methods do nothing without a player.
public struct LocalPlayer: Sendable {
  /// The player's last reported state.
  public struct Reading: Hashable, Sendable {
    /// Its position, at most about 100 ms ago.
    public let position: MediaTime
    /// Whether it runs.
    public let isRunning: Bool
  }

  /// Why the player is gone.
  public enum End: Hashable, Sendable {
    /// The person closed it.
    case closedByPerson
    /// It exited by itself, or could not be started.
    case failed(String)
  }

  private let mailbox: LoopMailbox<ClientHub>
  /// Why the player is gone; `nil` while it is available.
  ///
  /// The session continues without it.
  public let end: Observed<End?>

  init(_ mailbox: LoopMailbox<ClientHub>, _ end: Observed<End?>) {
    self.mailbox = mailbox
    self.end = end
  }

  /// Returns the player's last reported state; `nil` if nothing is open.
  public func reading() async -> Reading? {
    await mailbox.value(otherwise: nil) { hub in
      hub.participant?.playerState.reading.map {
        Reading(position: $0.position, isRunning: $0.isRunning)
      }
    }
  }

  /// Sets this device's own copy of an item, such as a file, to open instead of the session's URL.
  ///
  /// It takes effect the next time the item is opened, which is at once if it could not be played
  /// here. An item whose URL equals this identifier is the same item.
  public func setOwnCopy(of item: ItemID, at url: String) {
    mailbox.post { $0.participant?.setOwnCopy(of: item, at: url) }
  }

  /// Has this client drive a player of the app's, for as long as the result is kept: for a view that
  /// shows what one person watches alone; see ``PlaybackCoordinator/coordinate(with:)`` for a session.
  ///
  /// The next player that is attached goes on, paused, where the last one was.
  public func attach(_ control: any PlaybackControl) -> AttachedPlayer {
    AttachedPlayer(control, for: nil, mailbox)
  }

  /// Opens media, paused at a position.
  ///
  /// Calls that arrive before the media is open may be lost; ``reading()`` is `nil` until then.
  ///
  /// - Parameters:
  ///   - media: what to open.
  ///   - position: the position; `nil` is the media's start.
  public func load(_ media: MediaItem, at position: MediaTime? = nil) {
    order(.load(media, startingAt: position))
  }

  /// Closes the open media.
  public func unload() { order(.unload) }

  /// Plays from the player's position, at this factor of normal speed.
  public func play(rate: Double = 1) { order(.carryOut(.play(rate: rate))) }

  /// Pauses at the player's position.
  public func pause() { order(.carryOut(.pause)) }

  /// Seeks to a position.
  public func seek(to position: MediaTime) { order(.carryOut(.seek(to: position))) }

  /// Sets the speed as a factor of normal speed; it also applies to the next start.
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

/// A player of the app's that a client drives, until it is released, another one is attached, or its
/// session is over for this device.
///
/// Keep it as long as the view that shows the player.
public final class AttachedPlayer: Sendable {
  private let mailbox: LoopMailbox<ClientHub>
  private let number = Locked<Int?>(nil)
  private let relay = Locked<Task<Void, Never>?>(nil)

  init(_ control: any PlaybackControl, for core: SessionCore?, _ mailbox: LoopMailbox<ClientHub>) {
    self.mailbox = mailbox
    mailbox.post { [self] hub in
      guard let (given, reports) = hub.attach(control, for: core) else { return }
      number.withLock { $0 = given }
      let task = Task { [mailbox] in
        for await report in reports {
          guard mailbox.post({ $0.tell(report, from: given) }) else { return }
        }
      }
      relay.withLock { $0 = task }
    }
  }

  /// Lets go of the player; the session goes on without a picture here.
  public func detach() {
    mailbox.post { [self] hub in
      guard let given = number.withLock({ $0 }) else { return }
      hub.detach(given)
      relay.withLock { $0 }?.cancel()
    }
  }

  deinit {
    relay.withLock { $0 }?.cancel()
    guard let given = number.withLock({ $0 }) else { return }
    mailbox.post { $0.detach(given) }
  }
}
