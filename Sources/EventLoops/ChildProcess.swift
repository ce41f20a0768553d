internal import CLibuv

/// A child process.
///
/// Confined to its loop's thread. It keeps the loop running until the program exits. ``close()``
/// only stops watching it; ``kill(_:)`` ends the program.
@safe package final class ChildProcess: LoopHandle {
  /// What a standard stream of the program is connected to.
  package enum Connection: Sendable {
    /// `/dev/null`.
    case ignored
    /// The corresponding stream of this process.
    case inherited
    /// A pipe to this process: ``standardInput``, or the delegate's `didWrite`.
    case piped
  }

  /// The program's descriptor for its end of ``socket``: the first one after the standard streams.
  ///
  /// Standard input would not be safe, because some programs close descriptor 0 by mistake. mpv
  /// 0.35 does so if it finds no graphics card (measured): it closes the descriptor of a device
  /// that it never opened.
  package static let socketDescriptor: Int32 = 3

  package enum Ending: Equatable, Sendable {
    /// It returned this code from `main` or passed it to `exit`; by convention zero is success.
    case exited(code: Int64)
    case killed(by: Signal)
  }

  /// The process id.
  package let id: Int32
  /// The pipe or socket to the program's standard input, if it is piped.
  package let standardInput: ByteStream?
  /// The socket to the program, if one was requested.
  ///
  /// The program reads an end there when this process ends for any reason.
  package let socket: ByteStream?
  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_process_t>
  private let outputs: [ChildOutput]
  private var delegate: (any ChildProcessDelegate)?
  private var hasExited = false

  /// Starts a program.
  ///
  /// `SIGPIPE` and other signals have their default actions there.
  ///
  /// - Parameters:
  ///   - executable: a path, or a name to look up in `PATH`.
  ///   - arguments: the arguments after the program's name, which is added.
  ///   - environment: all its variables; nil passes on those of this process.
  ///   - input: its standard input.
  ///   - output: its standard output.
  ///   - errorOutput: its standard error.
  ///   - hasSocket: whether it gets a ``socket`` as descriptor ``socketDescriptor``.
  ///   - loop: the loop that watches it.
  ///   - delegate: receives output and the end; kept until ``close()``.
  /// - Throws: the system's error, such as ``UVError/Code/noSuchFile``.
  package init(
    executable: String, arguments: [String] = [], environment: [String: String]? = nil,
    input: Connection = .ignored, output: Connection = .inherited,
    errorOutput: Connection = .inherited, hasSocket: Bool = false, on loop: EventLoop,
    delegate: any ChildProcessDelegate
  ) throws(UVError) {
    loop.preconditionOnLoop()
    let connections = [input, output, errorOutput] + (hasSocket ? [.piped] : [])
    let pipes = try Self.pipes(for: connections, on: loop)
    let process = unsafe allocateHandle(uv_process_t.self)
    let status = unsafe withCStrings([executable] + arguments) { arguments in
      unsafe withCStrings(environment?.map { "\($0.key)=\($0.value)" }) { environment in
        unsafe Self.spawn(
          process, arguments: arguments, environment: environment, connections: connections,
          pipes: pipes, on: loop)
      }
    }
    guard status == 0 else {
      // `uv_spawn` initialized the handle, so it must be closed even though it has no owner.
      unsafe closeHandle(process)
      for pipe in pipes { pipe?.close() }
      throw UVError("spawn", .init(status))
    }
    self.loop = loop
    self.delegate = delegate
    unsafe handle = process
    id = unsafe uv_process_get_pid(process)
    standardInput = pipes[0]
    socket = hasSocket ? pipes[3] : nil
    outputs = zip([.output, .errorOutput], pipes.dropFirst()).compactMap { source, pipe in
      pipe.map { ChildOutput(source, from: $0) }
    }
    unsafe setOwner(self, of: process)
    for output in outputs { try output.start(for: self) }
  }

  /// Sends the program a signal; does nothing after it has exited.
  package func kill(_ signal: Signal) {
    loop.preconditionOnLoop()
    guard delegate != nil, !hasExited else { return }
    unsafe uv_process_kill(handle, signal.rawValue)
  }

  /// Stops watching the program and closes the pipes to it; a second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    guard delegate != nil else { return }
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = delegate
    delegate = nil
    standardInput?.close()
    socket?.close()
    for output in outputs { output.close() }
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }

  fileprivate func didWrite(_ bytes: Span<UInt8>, to source: ChildProcessOutput) {
    delegate?.childProcess(self, didWrite: bytes, to: source)
  }

  fileprivate func didEnd(_ source: ChildProcessOutput) {
    delegate?.childProcess(self, didEnd: source)
  }

  private func didExit(_ code: Int64, _ signal: Int32) {
    hasExited = true
    let ending: Ending =
      signal == 0 ? .exited(code: code) : .killed(by: Signal(rawValue: signal))
    delegate?.childProcess(self, didExit: ending)
  }

  private static func pipes(
    for connections: [Connection], on loop: EventLoop
  ) throws(UVError) -> [ByteStream?] {
    var pipes: [ByteStream?] = []
    for connection in connections {
      pipes.append(connection == .piped ? try ByteStream(.pipe, on: loop) : nil)
    }
    return pipes
  }

  private static func spawn(
    _ process: UnsafeMutablePointer<uv_process_t>, arguments: CStrings?, environment: CStrings?,
    connections: [Connection], pipes: [ByteStream?], on loop: EventLoop
  ) -> Int32 {
    var containers = unsafe zip(connections, pipes).enumerated().map { descriptor, pair in
      unsafe container(for: pair.0, pipe: pair.1, descriptor: Int32(descriptor))
    }
    return unsafe containers.withUnsafeMutableBufferPointer { containers in
      var options = unsafe uv_process_options_t()
      unsafe options.file = arguments.flatMap { unsafe $0[0].map { unsafe UnsafePointer($0) } }
      unsafe options.args = arguments
      unsafe options.env = environment
      unsafe options.stdio_count = Int32(containers.count)
      unsafe options.stdio = containers.baseAddress
      unsafe options.exit_cb = { handle, code, signal in
        unsafe owner(of: handle, as: ChildProcess.self)?.didExit(code, signal)
      }
      return unsafe uv_spawn(loop.raw, process, &options)
    }
  }

  private static func container(
    for connection: Connection, pipe: ByteStream?, descriptor: Int32
  ) -> uv_stdio_container_t {
    var container = unsafe uv_stdio_container_t()
    if let pipe {
      // The flags are from the program's point of view.
      let reads = descriptor == 0 || descriptor == socketDescriptor
      // libuv always makes a socket pair, and opens our end for what the flags say.
      let direction = reads ? UV_READABLE_PIPE.rawValue : 0
      let back = descriptor == 0 ? 0 : UV_WRITABLE_PIPE.rawValue
      unsafe container.flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | direction | back)
      unsafe container.data.stream = pipe.handle
    } else if connection == .inherited {
      unsafe container.flags = UV_INHERIT_FD
      unsafe container.data.fd = descriptor
    } else {
      unsafe container.flags = UV_IGNORE
    }
    return unsafe container
  }
}

@available(*, unavailable)
extension ChildProcess: Sendable {}

/// Forwards what it reads from one piped output of the program.
private final class ChildOutput: ByteStreamDelegate {
  private let source: ChildProcessOutput
  private let pipe: ByteStream
  private var process: ChildProcess?

  init(_ source: ChildProcessOutput, from pipe: ByteStream) {
    self.source = source
    self.pipe = pipe
  }

  func start(for process: ChildProcess) throws(UVError) {
    self.process = process
    try pipe.start(self)
  }

  func close() {
    process = nil
    pipe.close()
  }

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    process?.didWrite(bytes, to: source)
  }

  func byteStreamDidEnd(_ stream: ByteStream) {
    let process = process
    close()
    process?.didEnd(source)
  }

  func byteStream(_ stream: ByteStream, didFail error: StreamError) {
    byteStreamDidEnd(stream)
  }
}

@available(*, unavailable)
extension ChildOutput: Sendable {}

/// The two output streams of a program.
package enum ChildProcessOutput: Sendable {
  case output
  case errorOutput
}

/// Receives the events of a ``ChildProcess``, on its loop's thread, until it is closed.
package protocol ChildProcessDelegate: AnyObject {
  /// The program wrote to a piped output; the bytes are valid only during the call.
  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput)

  /// A piped output was closed by the program and by every process that inherited it.
  func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput)

  /// The program ended. Its last output may arrive after this, until `didEnd`.
  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending)
}

extension ChildProcessDelegate {
  package func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}
}

extension String {
  /// Adds what a program wrote, and keeps this many letters of the end.
  package mutating func append(_ bytes: Span<UInt8>, keepingLast count: Int) {
    var text: [UInt8] = []
    for index in bytes.indices { text.append(bytes[index]) }
    self = String((self + String(decoding: text, as: UTF8.self)).suffix(count))
  }
}

/// A null-terminated list of C strings, as `execve` takes it.
private typealias CStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Calls `body` with the texts as C strings, valid during the call; nil stays nil.
private func withCStrings<Result>(_ texts: [String]?, _ body: (CStrings?) -> Result) -> Result {
  guard let texts else { return body(nil) }
  // One array holds all texts, each with a terminating zero; `starts` holds their offsets.
  var bytes: [CChar] = []
  var starts: [Int] = []
  for text in texts {
    starts.append(bytes.count)
    bytes.append(contentsOf: text.utf8.map { CChar(bitPattern: $0) })
    bytes.append(0)
  }
  return unsafe bytes.withUnsafeMutableBufferPointer { bytes in
    var list: [UnsafeMutablePointer<CChar>?] = unsafe starts.map { start in
      unsafe bytes.baseAddress?.advanced(by: start)
    }
    unsafe list.append(nil)
    return unsafe list.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
  }
}
