import ArgumentParser
import EventLoops
import Journals
import Logging
import PostgreSQL

extension JournalOptions {
  /// Waits until this server may have the journal, if it stands by.
  ///
  /// - Returns: false if a signal ended the wait.
  func standBy(on loop: EventLoop, _ log: Logger) throws -> Bool {
    guard isStandby, let address = journal.database else { return true }
    let wait = StandbyWait(on: loop, log)
    do throws(JournalError) {
      return try wait.run(for: address)
    } catch {
      log.critical("cannot stand by", metadata: ["error": "\(error)"])
      throw ExitCode(73)
    }
  }
}

/// The wait of a server that stands by, which listens on nothing meanwhile.
private final class StandbyWait {
  private let loop: EventLoop
  private let log: Logger
  private var hasTaken = false

  init(on loop: EventLoop, _ log: Logger) {
    self.loop = loop
    self.log = log
  }

  /// - Returns: false if a signal ended the wait.
  func run(for address: PostgreSQLAddress) throws(JournalError) -> Bool {
    let standby = try PostgreSQLStandby(for: address, on: loop) { [self] in tell($0) }
    defer { standby.close() }
    let signals = [Signal.terminate, .interrupt].compactMap { signal in source(of: signal) }
    defer { for signal in signals { signal.close() } }
    loop.run()
    return hasTaken
  }

  private func source(of signal: Signal) -> SignalSource? {
    do throws(UVError) {
      return try SignalSource(signal, on: loop) { [loop] in loop.stop() }
    } catch {
      // Then the signal has its default action: it ends the program.
      return nil
    }
  }

  private func tell(_ notice: PostgreSQLStandby.Notice) {
    switch notice {
    case .waiting: log.info("standing by: another server has the journal")
    case .failing(let reason):
      log.error("the database does not answer", metadata: ["reason": "\(reason)"])
    case .taken(let isFromDead):
      hasTaken = true
      if isFromDead {
        log.warning("the server that had the journal is dead: taking it over")
      } else {
        log.info("nobody has the journal: taking it")
      }
      loop.stop()
    }
  }
}
