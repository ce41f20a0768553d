import InAppMessaging
import Vocabulary
import Wire

extension Client {
  /// A client's side of in-app messages: what is shown, and what the server still has to hear.
  struct Messaging: Equatable, Sendable {
    var presenter: MessagePresenter
    var outbox = Outbox<MessagingNotice>()
    /// The client's run: another one means that nothing waits on its stack any more.
    let epoch: Int
    /// What of a session's media was logged last: the same is told once, whatever connections do.
    var enqueued: EnqueuedMedia?
    /// The sessions that deliveries under way belong to.
    var hosted: [MessageID: SessionID] = [:]
    /// Whether the launch was logged; it is once there is something to show messages on.
    var hasLaunched = false
    /// What the server was last told, on this connection, of whether the person sees the app.
    var toldVisible: Bool?
    /// Until when a client whose person went still says what they did; `nil` while they are here.
    var retires: HostTime?
    /// Whether the server sends messages at all, as far as it said.
    var isAvailable = true

    init(_ settings: ClientSettings, seed: UInt64) {
      presenter = MessagePresenter(
        settings.presenter, user: settings.user, platform: settings.platform)
      var numbers = SplitMix64(seed: ~seed)
      // A number of JSON is exact up to 2^53.
      epoch = Int(numbers.next() >> 11)
    }

    /// Whether the person would see a message here now.
    var isVisible: Bool { presenter.platform.isVisible && presenter.platform.hasDisplay }

    /// What waits here of the server's messages.
    var waiting: [MessageID] {
      presenter.stackedMessages.filter { $0.campaign != nil }.map(\.id)
    }
  }

  /// What was enqueued here: a stay in a session, and the revision of what it watches.
  struct EnqueuedMedia: Equatable, Sendable {
    let participant: ParticipantID
    let revision: Int
  }
}
