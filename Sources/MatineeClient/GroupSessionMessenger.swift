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
    _ message: Message, to participants: Participants = .all
  ) async throws(GroupWatchError) {
    try await send(
      payload: try PayloadCoding.encode(TypedMessage(value: message)), to: participants)
  }

  private func send(
    payload: JSONText, to participants: Participants
  ) async throws(GroupWatchError) {
    guard payload.text.utf8.count <= Self.maximumPayload else {
      throw GroupWatchError(
        .payloadTooLarge, "a message has at most \(Self.maximumPayload) bytes",
        advice: "keep it elsewhere and send its URL", limit: Self.maximumPayload)
    }
    let recipients = participants.recipients
    switch mode {
    case .reliable: try await client.ask(.send(core.id, payload, to: recipients), of: core)
    case .unreliable:
      let message = DroppableMessage(session: core.id, payload: payload, recipients: recipients)
      client.say(message, in: core)
    }
  }

  /// Sends a value as JSON without the name of its type, for other makers' clients.
  public func sendPlain<Message: Encodable & Sendable>(
    _ message: Message, to participants: Participants = .all
  ) async throws(GroupWatchError) {
    try await send(payload: try PayloadCoding.encode(message), to: participants)
  }

  /// Says a line of chat, which every maker's clients and Syncplay's users can read.
  public func say(
    _ text: String, to participants: Participants = .all
  ) async throws(GroupWatchError) {
    try await send(payload: ChatLine.payload(text), to: participants)
  }

  /// The lines of chat: first the last fifty that were said, also before this device joined, then
  /// each new one.
  ///
  /// The backlog holds 256 lines for a slow reader; beyond that, the oldest is dropped.
  public var chat: ChatMessages {
    // Listens first, so that no line is missed in between; one in both has the same number.
    let queue = core.messages.listen()
    return ChatMessages(core.lastLines, queue)
  }

  /// All messages as JSON, from now on: chat, and the values of apps with the names of their types.
  ///
  /// The backlog holds 256 messages for a slow reader; beyond that, the oldest is dropped.
  public var payloads: AsyncStream<(JSONText, MessageContext)> {
    let queue = core.messages.listen()
    return AsyncStream {
      var missed = 0
      while let delivery = await queue.next() {
        switch delivery {
        case .missed(let count): missed += count
        case .element(.message(let message)):
          return (message.payload, MessageContext(message, missedBefore: missed))
        case .element(.earlier): continue
        }
      }
      return nil
    }
  }

  /// The messages of one type from now on, each with its context; lines of ``chat`` are not among them.
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

/// For whom a message is, like GroupActivities' `Participants`.
public enum Participants: Hashable, Sendable {
  /// Everyone else.
  case all
  /// Only these; this device, too, if it is among them.
  case only(Set<Participant>)

  /// Only this one.
  public static func only(_ participant: Participant) -> Participants { .only([participant]) }

  var recipients: Recipients {
    switch self {
    case .all: .all
    case .only(let participants): .only(participants.map(\.id).sorted())
    }
  }
}

/// Who sent a message, and its number; the counterpart of GroupActivities' `MessageContext`.
public struct MessageContext: Hashable, Sendable {
  /// Who sent it, as they were then.
  public let source: Participant
  /// Its sequence number among the session's events; `nil` for an unreliable message.
  public let seq: Int?
  /// How many messages of any type were dropped right before this one because the reader was too
  /// slow; normally zero.
  public let missedBefore: Int

  init(_ message: SessionCore.Message, missedBefore: Int) {
    source = message.source
    seq = message.seq
    self.missedBefore = missedBefore
  }
}

extension GroupSessionMessenger {
  /// The messages of one type, from the call on; for one reader.
  public struct Messages<Message: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A message and its context.
    public typealias Element = (Message, MessageContext)

    /// The iterator of a `for await` loop.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let queue: DeliveryQueue<SessionCore.Heard>
      private var missed = 0

      init(_ queue: DeliveryQueue<SessionCore.Heard>) {
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
          case .element(.earlier): continue
          case .element(.message(let message)):
            // A type without required fields could be decoded from a line of chat.
            guard message.line == nil,
              let value = TypedMessage<Message>.value(of: message.payload)
            else { continue }
            defer { missed = 0 }
            return (value, MessageContext(message, missedBefore: missed))
          }
        }
        return nil
      }
    }

    private let queue: DeliveryQueue<SessionCore.Heard>

    init(_ queue: DeliveryQueue<SessionCore.Heard>) {
      self.queue = queue
    }

    /// Makes an iterator that continues where the last one stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue) }
  }
}
