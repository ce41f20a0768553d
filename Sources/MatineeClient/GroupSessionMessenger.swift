import GroupSessions
public import Vocabulary
import Wire

/// Sends values to others in a session: GroupActivities' `GroupSessionMessenger`.
public struct GroupSessionMessenger: Sendable {
  /// Whether a message may be lost.
  public enum DeliveryMode: Hashable, Sendable {
    /// It arrives, in order, also after a reconnect.
    case reliable
    /// It is dropped where somebody reads too slowly, such as a pointer's position.
    case unreliable
  }

  private let core: SessionCore
  private let client: GroupWatchClient
  private let mode: DeliveryMode

  /// The messenger of a session.
  public init<Activity: GroupActivity>(
    session: GroupSession<Activity>, deliveryMode: DeliveryMode = .reliable
  ) {
    core = session.core
    client = session.client
    mode = deliveryMode
  }

  /// The bytes of JSON that a message may have, with the name of its type.
  public static var maximumPayload: Int { Limits().messageBytes }

  /// Sends a value to everyone else, or to some, who get it where they read its type.
  public func send<Message: Encodable & Sendable>(
    _ message: Message, to participants: Set<Participant>? = nil
  ) async throws(GroupWatchError) {
    try await send(
      payload: try PayloadCoding.encode(TypedMessage(value: message)), to: participants)
  }

  private func send(
    payload: JSONText, to participants: Set<Participant>?
  ) async throws(GroupWatchError) {
    guard payload.text.utf8.count <= Self.maximumPayload else {
      throw GroupWatchError(
        .payloadTooLarge, "a message has at most \(Self.maximumPayload) bytes",
        advice: "keep it elsewhere and send its URL", limit: Self.maximumPayload)
    }
    let recipients = participants.map { Recipients.only($0.map(\.id).sorted()) } ?? .all
    switch mode {
    case .reliable: try await client.ask(.send(core.id, payload, to: recipients))
    case .unreliable:
      client.say(DroppableMessage(session: core.id, payload: payload, recipients: recipients))
    }
  }

  /// Says a line of chat, which clients of all makers understand, and people who use Syncplay.
  public func sendChat(
    _ text: String, to participants: Set<Participant>? = nil
  ) async throws(GroupWatchError) {
    try await send(payload: ChatLine.payload(text), to: participants)
  }

  /// What people say from now on, and who: lines of chat, and the JSON of every other message.
  ///
  /// 256 lines wait for a slow reader, and then the oldest goes.
  public var chat: AsyncStream<(line: String, source: ParticipantID)> {
    let queue = core.messages.listen()
    return AsyncStream {
      while let delivery = await queue.next() {
        if case .element(let message) = delivery { return (message.payload.spoken, message.source) }
      }
      return nil
    }
  }

  /// The messages of a type, from now on, with what is known of each.
  ///
  /// A type is known by its name: see ``CustomMessageIdentifiable``. Clients of other makers may
  /// leave the name out, and a message without one is read as whatever type it fits.
  ///
  /// 256 messages wait for a slow reader; ``MessageContext/missedBefore`` tells of a gap.
  public func messages<Message: Decodable & Sendable>(of type: Message.Type) -> Messages<Message> {
    Messages(core.messages.listen())
  }
}

/// What is known of a message besides its value: GroupActivities' `MessageContext`.
public struct MessageContext: Hashable, Sendable {
  /// Who sent it.
  public let source: ParticipantID
  /// Its number among the session's events, the same for everyone; `nil` for an unreliable one.
  public let seq: Int?
  /// How many messages, of whatever type, went missing right before this one because this reader was
  /// too slow; zero is what to expect.
  public let missedBefore: Int
}

extension GroupSessionMessenger {
  /// The messages of one type, from when they were asked for; for one reader.
  public struct Messages<Message: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A message, and what is known of it.
    public typealias Element = (Message, MessageContext)

    /// What a `for await` loop steps through.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let queue: DeliveryQueue<SessionCore.Message>
      private var missed = 0

      init(_ queue: DeliveryQueue<SessionCore.Message>) {
        self.queue = queue
      }

      /// The next message that can be read; `nil` once the session is over.
      public mutating func next() async -> Element? {
        await next(isolation: #isolation)
      }

      /// The same, on the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        while let delivery = await queue.next() {
          switch delivery {
          case .missed(let count): missed += count
          case .element(let message):
            guard let value = TypedMessage<Message>.value(of: message.payload) else { continue }
            defer { missed = 0 }
            let context = MessageContext(
              source: message.source, seq: message.seq, missedBefore: missed)
            return (value, context)
          }
        }
        return nil
      }
    }

    private let queue: DeliveryQueue<SessionCore.Message>

    init(_ queue: DeliveryQueue<SessionCore.Message>) {
      self.queue = queue
    }

    /// Goes on where the last reader stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue) }
  }
}
