import ArgumentParser
import EventLoops
import Foundation
import MatineeClient
import MatineeTerminal
import PushTransports
import Vocabulary

/// The device that comes in with a code.
@MainActor
struct PairingGuest {
  private let code: String
  private let visit: VisitArguments
  private let device: String
  private let credential: String
  /// What was told last about the connection.
  private var lastTrouble: String?

  /// - Parameter device: what the device is called; by default, as the machine is.
  init(_ code: String, _ visit: VisitArguments, called device: String?) {
    self.code = code.lowercased()
    self.visit = visit
    self.device = device ?? ProcessInfo.processInfo.hostName
    var system = SystemRandomNumberGenerator()
    credential = Secret(using: &system).text
  }

  /// Shows the code until the device is in, and stores its credential then; an error is printed and
  /// ends the program.
  mutating func run() async throws {
    let (endpoint, name) = (try visit.endpoint(), try visit.requiredName())
    let own: OwnCredential
    do throws(KeyFileError) {
      own = try OwnCredential(at: endpoint, of: UserID(name))
    } catch {
      throw complaint("\(error)", 66)
    }
    let security = try visit.security()
    let client = try client(at: endpoint, name, security.security)
    let events = try PairingEvents(client, for: Limits().pairingDeadline)
    let failure = await wait(for: events)
    events.close()
    await client.endVisit()
    if let failure { throw complaint(failure.text, failure.exitCode) }
    try security.rememberOrComplain()
    do throws(KeyFileError) {
      try own.replace(by: credential)
    } catch {
      throw complaint("\(error)", 66)
    }
    print(
      "This device is in as \(name); join with: matinee join --group NAME"
        + "\(endpoint.optionText) --as \(name.shellWord)")
  }

  private func client(
    at endpoint: Endpoint, _ name: String, _ security: ConnectionSecurity
  ) throws -> GroupWatchClient {
    let person = Identity(atTerminal: name)
    let identity = Identity(user: person.user, device: person.device, name: device)
    var options = ClientOptions()
    options.pairingCode = code
    options.security = security
    options.credential = { [credential] in credential }
    do throws(GroupWatchError) {
      return try GroupWatchClient(startingAt: endpoint, as: identity, options: options)
    } catch {
      throw complaint(error.message, 69)
    }
  }

  /// Waits until the device is in.
  ///
  /// - Returns: why it is not.
  private mutating func wait(for events: PairingEvents) async -> PairingFailure? {
    for await event in events.events {
      switch event {
      case .connection(.online): return nil
      case .connection(.offline(let error)): return PairingFailure(error.text, 1)
      case .connection(.connecting(let why?)), .connection(.reconnecting(let why)): tell(why)
      case .late: return PairingFailure(lastTrouble ?? "no answer in time", 75)
      case .input(.interrupted): return PairingFailure("this device is not in", 1)
      case .connection(.connecting(nil)), .asked, .input: break
      }
    }
    return nil
  }

  private mutating func tell(_ trouble: String) {
    guard trouble != lastTrouble else { return }
    lastTrouble = trouble
    printNow("Waiting: \(trouble.onOneLine)")
  }
}
