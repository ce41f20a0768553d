import EventLoops
import Participation
import Wire

// Asking the server, from any thread.
extension LoopMailbox<ClientHub> {
  /// What became of a request; a client that was closed does not ask.
  func outcome(of request: Request) async -> Participation.Participant.Outcome {
    await withCheckedContinuation { continuation in
      let isPosted = post { hub in
        hub.ask(request) { continuation.resume(returning: $0) }
      }
      if !isPosted { continuation.resume(returning: .failed(.closed)) }
    }
  }

  /// What a request brought, unless it failed.
  func value(
    of request: Request
  ) async throws(GroupWatchError) -> Participation.Participant.Outcome {
    let outcome = await outcome(of: request)
    if case .failed(let failure) = outcome { throw GroupWatchError(failure) }
    return outcome
  }
}
