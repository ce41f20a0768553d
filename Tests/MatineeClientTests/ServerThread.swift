import Coordination
import EventLoops
import Logging
import MatineeClient
import Server
import Testing

/// A real server on a thread of its own, on loopback.
struct ServerThread {
  let thread: LoopThread<MatineeServer>
  let endpoint: MatineeClient.Endpoint

  init(
    port: UInt16 = 0, notifications: NotificationSettings = NotificationSettings(),
    configure: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = ServerConfiguration(endpoints: [.init(host: "127.0.0.1", port: port)])
    configure(&configuration)
    let thread = try LoopThread { [configuration] (loop) throws(UVError) in
      do throws(EndpointError) {
        return try MatineeServer(
          configuration, on: loop,
          notifications: notifications,
          log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
      } catch {
        guard case .system(let cause) = error.cause else { preconditionFailure("\(error)") }
        throw cause
      }
    }
    self.thread = thread
    let text = await withCheckedContinuation { continuation in
      thread.mailbox.post { continuation.resume(returning: $0.endpoints.first ?? "") }
    }
    endpoint = try #require(Endpoint(text))
  }

  func stop() {
    thread.mailbox.post { $0.stop() }
    thread.stop()
    thread.join()
  }
}
