import EventLoops

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
