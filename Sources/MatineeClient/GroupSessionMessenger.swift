import GroupSessions
public import Vocabulary
import Wire

/// Sends values to others in a session; the counterpart of GroupActivities'
/// `GroupSessionMessenger`.
public struct GroupSessionMessenger: Sendable {
  /// Whether a message may be lost.
  public enum DeliveryMode: Hashable, Sendable {
    /// Messages arrive in order, also after a reconnect.
    case reliable
    /// Messages to a slow reader are dropped; meant for data such as a pointer's position.
    case unreliable
  }

  private let core: SessionCore
  private let client: GroupWatchClient
  private let mode: DeliveryMode

  /// Makes the messenger of a session.
  public init<Activity: GroupActivity>(
    session: GroupSession<Activity>, deliveryMode: DeliveryMode = .reliable
  ) {
    core = session.core
    client = session.client
    mode = deliveryMode
  }

  /// The maximum size of a message in bytes of JSON, including the name of its type.
  public static var maximumPayload: Int { Limits().messageBytes }

  /// Sends a value to everyone else, or to some; those that read its type receive it.
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

  /// Sends a line of chat, which every maker's clients and Syncplay's users can read.
  public func sendChat(
    _ text: String, to participants: Set<Participant>? = nil
  ) async throws(GroupWatchError) {
    try await send(payload: ChatLine.payload(text), to: participants)
  }

  /// The chat lines and their senders, from now on; every other message appears as its JSON.
  ///
  /// The backlog holds 256 lines for a slow reader; beyond that, the oldest is dropped.
  public var chat: AsyncStream<(line: String, source: ParticipantID)> {
    let queue = core.messages.listen()
    return AsyncStream {
      while let delivery = await queue.next() {
        if case .element(let message) = delivery { return (message.payload.spoken, message.source) }
      }
      return nil
    }
  }

  /// The messages of one type from now on, each with its context.
  ///
  /// A message carries the name of its type; see ``CustomMessageIdentifiable``. Other makers'
  /// clients may omit the name; a message without one is delivered as every type that it can be
  /// decoded as.
  ///
  /// The backlog holds 256 messages for a slow reader; ``MessageContext/missedBefore`` reports a
  /// gap.
  public func messages<Message: Decodable & Sendable>(of type: Message.Type) -> Messages<Message> {
    Messages(core.messages.listen())
  }
}

/// Who sent a message, and its number; the counterpart of GroupActivities' `MessageContext`.
public struct MessageContext: Hashable, Sendable {
  /// Who sent it.
  public let source: ParticipantID
  /// Its sequence number among the session's events; `nil` for an unreliable message.
  public let seq: Int?
  /// How many messages of any type were dropped right before this one because the reader was too
  /// slow; normally zero.
  public let missedBefore: Int
}

extension GroupSessionMessenger {
  /// The messages of one type, from the call on; for one reader.
  public struct Messages<Message: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A message and its context.
    public typealias Element = (Message, MessageContext)

    /// The iterator of a `for await` loop.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let queue: DeliveryQueue<SessionCore.Message>
      private var missed = 0

      init(_ queue: DeliveryQueue<SessionCore.Message>) {
        self.queue = queue
      }

      /// Returns the next message that can be decoded; `nil` once the session is over.
      public mutating func next() async -> Element? {
        await next(isolation: #isolation)
      }

      /// Returns the next message, on the caller's actor.
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

    /// Makes an iterator that continues where the last one stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue) }
  }
}
