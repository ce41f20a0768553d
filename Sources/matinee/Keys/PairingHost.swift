import ArgumentParser
import EventLoops
import MatineeClient
import MatineeTerminal
import Vocabulary

/// The device that is in, and lets another one in.
@MainActor
struct PairingHost {
  private let visit: VisitArguments
  /// The device that shows the code.
  private var asking: String?
  /// The person's answer, which a script may give beforehand.
  private var answer: String?

  init(_ visit: VisitArguments) { self.visit = visit }

  /// Makes a code, and confirms the device that shows it; an error is printed and ends the program.
  mutating func run() async throws {
    let client = try await visit.connect()
    let code: PairingCode
    do throws(GroupWatchError) {
      code = try await client.pairDevice()
    } catch {
      await client.endVisit()
      throw complaint(error.text, 1)
    }
    let command = try visit.endpoint().pairingCommand(
      code.text, as: visit.requiredName(), try visit.security())
    printNow("The code is \(code.text); type on the other device:\n  \(command)")
    let left = await client.groupClock().map { code.expires - $0.now() }
    let events = try PairingEvents(client, for: left ?? Limits().pairingDeadline)
    let failure = await wait(for: events, client)
    events.close()
    await client.endVisit()
    if let failure { throw complaint(failure.text, failure.exitCode) }
  }

  /// Waits until a device is let in.
  ///
  /// - Returns: why none was.
  private mutating func wait(for events: PairingEvents, _ client: GroupWatchClient) async
    -> PairingFailure?
  {
    for await event in events.events {
      switch event {
      case .connection(.offline(let error)): return PairingFailure(error.text, 1)
      case .connection: continue
      case .late: return PairingFailure("no device was let in before the code's time was over", 75)
      case .input(.interrupted): return PairingFailure("nobody was let in", 1)
      case .input(.line(let line)): answer = answer ?? line
      case .input(.end), .input(.unreadable): answer = answer ?? ""
      case .asked(let device):
        asking = device.onOneLine
        printPart("Let “\(device.onOneLine)” in? [y/N] ")
      }
      guard let asking, let answer else { continue }
      return await conclude(asking, answer, client)
    }
    return nil
  }

  private func conclude(
    _ device: String, _ answer: String, _ client: GroupWatchClient
  ) async -> PairingFailure? {
    let isYes = ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    do throws(GroupWatchError) {
      try await client.confirmPairing(isYes)
    } catch {
      return PairingFailure(error.text, 1)
    }
    guard isYes else { return PairingFailure("“\(device)” stays out", 1) }
    printNow("“\(device)” is let in.")
    return nil
  }
}

/// Why no device was let in, with the exit code.
struct PairingFailure {
  let text: String
  let exitCode: Int32

  init(_ text: String, _ exitCode: Int32) {
    self.text = text
    self.exitCode = exitCode
  }
}
