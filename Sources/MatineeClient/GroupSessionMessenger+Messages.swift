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
