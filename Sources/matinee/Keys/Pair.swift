import ArgumentParser
import EventLoops
import MatineeClient
import Vocabulary

/// `matinee pair`: lets another device of the same person in.
struct Pair: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let another device of yours in, where groups have keys.",
    usage: """
      matinee pair --as <name> [--server <host:port>]
      matinee pair <code> --as <name> [--server <host:port>] [--device <name>]
      """,
    discussion: """
      On the device that is in, it prints a code, waits for the other device to show it, and asks \
      whether to let that one in. On the other device, it takes the code and waits. A code is for \
      one device, and good for five minutes.

      Exit codes: 0 let in, 1 refused, 64 wrong usage, 66 no credential, or none can be stored, \
      69 no server, 75 the new device was not let in in time.
      """)

  @Argument(help: ArgumentHelp("The code, on the device that is to come in.", valueName: "code"))
  var code: String?

  @OptionGroup var visit: VisitArguments

  @Option(
    help: ArgumentHelp(
      "What this device is called when the other one asks; by default, as the machine is.",
      valueName: "name"))
  var device: String?

  func validate() throws {
    _ = try visit.requiredName()
    if code?.isEmpty == true { throw ValidationError("a code has eight letters and digits") }
    guard device == nil || code != nil else {
      throw ValidationError("--device is for the device that takes the code")
    }
    guard let device else { return }
    guard !device.isEmpty, device.utf8.count <= Limits().titleBytes else {
      throw ValidationError("--device takes a name of 1 to \(Limits().titleBytes) bytes")
    }
  }

  @MainActor
  func run() async throws {
    ProcessSettings.ignoreBrokenPipes()
    if let code {
      var guest = PairingGuest(code, visit, called: device)
      try await guest.run()
    } else {
      var host = PairingHost(visit)
      try await host.run()
    }
  }
}

/// What happens while devices are paired, in order.
enum PairingEvent: Sendable {
  case connection(ConnectionState)
  /// A device with this name shows the code.
  case asked(String)
  case input(TerminalInput.Event)
  /// The code's time is over.
  case late
}

/// The events of one pairing, from the client, the terminal and the clock.
@MainActor
final class PairingEvents {
  let events: AsyncStream<PairingEvent>
  private let tell: AsyncStream<PairingEvent>.Continuation
  private let terminal: TerminalInput
  private var tasks: [Task<Void, Never>] = []

  /// Follows a client for this long.
  init(_ client: GroupWatchClient, for duration: Duration) throws(UVError) {
    (events, tell) = AsyncStream.makeStream(of: PairingEvent.self)
    terminal = try TerminalInput()
    let (terminal, tell) = (terminal, tell)
    follow(client.connection.values) { .connection($0) }
    follow(client.pairingRequest.values) { $0.map { .asked($0) } }
    follow(terminal.events) { .input($0) }
    tasks.append(
      Task {
        await terminal.wait(for: duration)
        tell.yield(.late)
      })
  }

  private func follow<Element: Sendable>(
    _ elements: AsyncStream<Element>, _ event: @escaping @Sendable (Element) -> PairingEvent?
  ) {
    let tell = tell
    tasks.append(
      Task {
        for await element in elements {
          if let event = event(element) { tell.yield(event) }
        }
      })
  }

  func close() {
    for task in tasks { task.cancel() }
    tell.finish()
    terminal.close()
  }
}
