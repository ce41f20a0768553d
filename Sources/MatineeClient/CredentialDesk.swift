import EventLoops
import Participation

/// Gets the person's tokens from the app, which may be slow, for the client's thread.
final class CredentialDesk: Sendable {
  typealias Source = @Sendable () async throws -> String

  /// The last problem, until the server has accepted a token.
  let problem = Observed<GroupWatchError?>(nil)
  private let source: Source?
  private let take: @Sendable (Client.Input) -> Void
  private let question = Locked<Task<Void, Never>?>(nil)
  /// Whether the app has not answered the last question.
  private let isOpen = Locked(false)

  init(_ source: Source?, take: @escaping @Sendable (Client.Input) -> Void) {
    self.source = source
    self.take = take
  }

  /// Whether the client waits for the app's answer.
  var isWaiting: Bool { isOpen.withLock { $0 } }

  /// Handles a state of the credential; called on the client's thread, in order.
  func take(_ state: Client.CredentialState) {
    switch state {
    case .wanted: ask()
    case .failed(let why):
      problem.update(
        GroupWatchError(
          .credentialUnavailable, "the app has no token for this person: \(why)",
          advice: "look at what gives the app its tokens"))
    case .refused(let error): problem.update(GroupWatchError(Client.Failure.refused(error)))
    case .accepted: problem.update(nil)
    }
  }

  /// Asks the app; a question that is still open is dropped, because the client no longer waits for
  /// its answer.
  private func ask() {
    guard let source else { return }
    isOpen.withLock { $0 = true }
    let task = Task { [take, isOpen] in
      let answer: Client.Input
      do {
        answer = .credential(try await source())
      } catch {
        answer = .credentialFailed("\(error)")
      }
      guard !Task.isCancelled else { return }
      isOpen.withLock { $0 = false }
      take(answer)
    }
    replaceQuestion(by: task)
  }

  private func replaceQuestion(by task: Task<Void, Never>?) {
    let old = question.withLock { question in
      defer { question = task }
      return question
    }
    old?.cancel()
  }

  func finish() {
    replaceQuestion(by: nil)
    problem.finish()
  }
}
