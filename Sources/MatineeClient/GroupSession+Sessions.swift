import Vocabulary

extension GroupSession {
  /// The sessions of one activity type, each once; see GroupActivities' `GroupSession.Sessions`.
  public struct Sessions: AsyncSequence, Sendable {
    /// The iterator of a `for await` loop.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private weak var client: GroupWatchClient?
      private var lists: AsyncStream<[SessionCore]>.AsyncIterator
      private var waiting: [SessionCore] = []
      /// By object, not by identifier: a session that was left and joined again is a new object.
      private var known: [SessionCore] = []

      init(client: GroupWatchClient?, lists: AsyncStream<[SessionCore]>) {
        self.client = client
        self.lists = lists.makeAsyncIterator()
      }

      /// Returns the next session that is not over; `nil` once the client is closed.
      public mutating func next() async -> GroupSession? {
        await next(isolation: #isolation)
      }

      /// Returns the next session, on the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> GroupSession? {
        while true {
          while !waiting.isEmpty {
            let core = waiting.removeFirst()
            if let client, !core.isOver, let session = GroupSession(core, client) {
              return session
            }
          }
          guard let list = await lists.next(isolation: actor) else { return nil }
          waiting = list.filter { core in !known.contains { $0 === core } }
          known = list
        }
      }
    }

    private let lists: Observed<[SessionCore]>
    private weak let client: GroupWatchClient?

    init(client: GroupWatchClient) {
      self.client = client
      lists = client.shared.sessions
    }

    /// Makes an iterator that begins with the sessions that are waiting or joined now.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(client: client, lists: lists.values)
    }
  }
}
