import EventLoops

/// `line-relay [port]`: prints its port, and relays until it is stopped.
@main
enum LineRelay {
  static func main() throws {
    ProcessSettings.ignoreBrokenPipes()
    _ = try ProcessSettings.raiseDescriptorLimit()
    let loop = try EventLoop()
    let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0
    let listener = try TCPListener(
      host: "127.0.0.1", port: port, on: loop, delegate: Relay(on: loop))
    print(listener.localPort)
    ProcessSettings.flushStandardOutput()
    loop.run()
  }
}
