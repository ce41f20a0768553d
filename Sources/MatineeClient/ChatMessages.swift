import GroupSessions
public import Vocabulary
import Wire

/// A line of chat in a session.
public struct ChatMessage: Hashable, Sendable {
  /// What was said.
  public let text: String
  /// The name of who said it.
  public let name: String
  /// Who said it; the participant may have left.
  public let source: ParticipantID
  /// Whether it was said before this device joined, or while it was away.
  public let isEarlier: Bool
  /// Whether it was said to some participants only, this one among them.
  public let isPrivate: Bool
  /// Its number among the lines that this device has heard in the session.
  var number = 0

  /// Returns `nil` for other messages.
  init?(_ payload: JSONText, from source: Participant, isPrivate: Bool) {
    guard let line = payload.line else { return nil }
    text = line
    name = source.name
    self.source = source.id
    isEarlier = false
    self.isPrivate = isPrivate
  }

  init?(_ line: Chat.Line) {
    guard let text = line.payload.line else { return nil }
    self.text = text
    name = line.name
    source = line.by
    isEarlier = true
    // The server keeps only what was said to everyone.
    isPrivate = false
  }
}

/// The lines of chat in a session; for one reader.
public struct ChatMessages: AsyncSequence, Sendable {
  /// The iterator of a `for await` loop.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var earlier: ArraySlice<ChatMessage>
    private let last: Int
    private let queue: DeliveryQueue<SessionCore.Heard>

    init(_ earlier: [ChatMessage], _ queue: DeliveryQueue<SessionCore.Heard>) {
      self.earlier = earlier[...]
      last = earlier.last?.number ?? 0
      self.queue = queue
    }

    /// Returns the next line; `nil` once the session is over.
    public mutating func next() async -> ChatMessage? {
      await next(isolation: #isolation)
    }

    /// Returns the next line, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ChatMessage? {
      if let line = earlier.popFirst() { return line }
      while let delivery = await queue.next() {
        guard case .element(let heard) = delivery, let line = line(in: heard) else { continue }
        if line.number > last { return line }
      }
      return nil
    }

    private func line(in heard: SessionCore.Heard) -> ChatMessage? {
      switch heard {
      case .message(let message): message.line
      case .earlier(let line): line
      }
    }
  }

  private let earlier: [ChatMessage]
  private let queue: DeliveryQueue<SessionCore.Heard>

  init(_ earlier: [ChatMessage], _ queue: DeliveryQueue<SessionCore.Heard>) {
    self.earlier = earlier
    self.queue = queue
  }

  /// Makes an iterator that begins with the last lines.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(earlier, queue) }
}
