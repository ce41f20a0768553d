import Coordination
import EventLoops
import Logging
import LoopTesting
import MatineeClient
import Server
import Testing

/// A real server on a thread of its own, on loopback.
struct ServerThread {
  let thread: LoopThread<MatineeServer>
  let endpoint: MatineeClient.Endpoint

  /// - Parameter place: where it listens, such as where another one has stopped.
  init(
    at place: MatineeClient.Endpoint = .unshared(),
    notifications: NotificationSettings = NotificationSettings(),
    configure: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = ServerConfiguration(
      endpoints: [.init(host: place.host, port: place.port)])
    configure(&configuration)
    let thread = try await Self.thread(configuration, notifications)
    self.thread = thread
    let text = await withCheckedContinuation { continuation in
      thread.mailbox.post { continuation.resume(returning: $0.endpoints.first ?? "") }
    }
    endpoint = try #require(Endpoint(text))
  }

  /// Starts a server, once its address is free.
  ///
  /// A child that another test has just forked holds a closed listener until it runs its own program.
  private static func thread(
    _ configuration: ServerConfiguration, _ notifications: NotificationSettings
  ) async throws -> LoopThread<MatineeServer> {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      do throws(UVError) {
        return try start(configuration, notifications)
      } catch {
        guard error.code == .addressInUse, ContinuousClock.now < deadline else { throw error }
        await Task.yield()
      }
    }
  }

  private static func start(
    _ configuration: ServerConfiguration, _ notifications: NotificationSettings
  ) throws(UVError) -> LoopThread<MatineeServer> {
    try LoopThread { (loop) throws(UVError) in
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
  }

  func stop() {
    thread.mailbox.post { $0.stop() }
    thread.stop()
    thread.join()
  }
}

extension MatineeClient.Endpoint {
  /// A free port of an address of its own: nobody else takes it while a server there is away.
  static func unshared() -> MatineeClient.Endpoint {
    MatineeClient.Endpoint(host: TestLoop.unsharedHost(), port: 0)
  }
}
