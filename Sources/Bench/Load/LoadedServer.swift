/// A server with sessions of one size, and a load for them.
///
/// Confined to its loop's thread.
struct LoadedServer {
  let load: SessionLoad
  private let server: ServerProcess

  /// Starts a server and fills its sessions.
  init(
    _ program: ServerProcess.Program, sessions count: Int, ofSize size: Int, on stage: Stage
  ) throws(BenchError) {
    server = try ServerProcess(program, on: stage)
    let sessions = SessionCrowd(at: server, on: stage, sessionSize: size)
    do throws(BenchError) {
      try sessions.grow(to: count * size)
    } catch {
      sessions.crowd.close()
      server.stop()
      throw error
    }
    load = SessionLoad(on: sessions, sessionSize: size)
  }

  func stop() {
    load.sessions.crowd.close()
    server.stop()
  }
}
