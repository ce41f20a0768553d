package import EventLoops

/// Debian's `syncplay-server` as a child process on a free port: what Matinee is compared with.
///
/// It ends with this process. Confined to its loop's thread.
package final class SyncplayReference {
  /// What it listens on, at loopback's addresses of both families.
  package let port: UInt16
  /// Whether it takes connections.
  package private(set) var isListening = false
  private var program: BoundProgram?
  private var search: PatientConnect?
  private let onChange: () -> Void

  /// How long it may take to listen: half a second on a quiet machine.
  private static let patience = Duration.seconds(60)

  /// Starts one.
  ///
  /// - Parameters:
  ///   - options: its own, as in `--isolate-rooms`.
  ///   - password: what clients have to say; not on its command line.
  ///   - salt: what the passwords of managed rooms are hashed with; nil is another each time.
  ///   - loop: where it is watched.
  ///   - onChange: called as it listens, and as it ends.
  package init(
    options: [String] = [], password: String? = nil, salt: String? = nil, on loop: EventLoop,
    onChange: @escaping () -> Void = {}
  ) throws(SyncplayProgramError) {
    self.onChange = onChange
    port = try Self.freePort(on: loop)
    var variables = ["PYTHONUNBUFFERED": "1"]
    variables["SYNCPLAY_PASSWORD"] = password
    variables["SYNCPLAY_SALT"] = salt
    do throws(UVError) {
      program = try BoundProgram(
        "syncplay-server", ["--port", "\(port)"] + options, variables: variables, on: loop
      ) { [weak self] in
        if self?.hasEnded == true { self?.onChange() }
      }
    } catch {
      throw .cannotStart("syncplay-server", error)
    }
    search = PatientConnect(
      to: .tcp(host: "127.0.0.1", port: port), within: Self.patience, on: loop
    ) { [weak self] result in
      self?.take(result)
    }
  }

  /// The system's number for it; `nil` once it has ended.
  package var id: Int32? { program?.id }

  /// Whether it is gone.
  package var hasEnded: Bool { program?.ending != nil }

  /// What it wrote last.
  package var words: String { program?.words ?? "" }

  /// Ends it; a second call does nothing.
  package func close() {
    search?.cancel()
    search = nil
    program?.end { $0.kill(.terminate) }
  }

  private func take(_ result: Result<ByteStream, EndpointError>) {
    search = nil
    guard case .success(let stream) = result else { return onChange() }
    stream.close()
    isListening = true
    onChange()
  }

  /// A port that nobody had a moment ago: it does not say which one it takes if it may choose.
  private static func freePort(on loop: EventLoop) throws(SyncplayProgramError) -> UInt16 {
    do throws(EndpointError) {
      let listener = try TCPListener(host: "127.0.0.1", port: 0, on: loop, delegate: Nobody())
      defer { listener.close() }
      return listener.localPort
    } catch {
      throw .endpoint(error)
    }
  }

  private final class Nobody: TCPListenerDelegate {
    func listener(_ listener: TCPListener, didAccept stream: ByteStream) { stream.close() }
    func listener(_ listener: TCPListener, didFail error: UVError) {}
  }
}

@available(*, unavailable)
extension SyncplayReference: Sendable {}
