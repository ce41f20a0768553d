import ArgumentParser
import CampaignFiles
import Coordination
import EventLoops
import Foundation
import InAppMessaging
import Logging
import Server
import TLS
import Vocabulary

/// The campaigns of a server, as they were last read without a mistake.
final class ServedCampaigns {
  let source: CampaignSource
  var set: CampaignSet

  init(_ source: CampaignSource, _ set: CampaignSet) {
    (self.source, self.set) = (source, set)
  }

  /// Whether they can change.
  var areFiles: Bool { source.isDirectory }

  /// Reads them once more after a wait; with mistakes in them, they stay as they were.
  func refresh(_ log: Logger) {
    guard areFiles else { return }
    do throws(FileComplaint) {
      set = try source.campaignSet()
      log.info("campaigns read again", metadata: ["campaigns": "\(set.count)"])
    } catch {
      log.tell(error, of: "campaigns")
    }
  }
}

extension CampaignSource {
  fileprivate var isDirectory: Bool {
    guard case .directory = self else { return false }
    return true
  }
}

extension Logger {
  /// Tells of mistakes in files that were read again.
  fileprivate func tell(_ complaint: FileComplaint, of files: String) {
    for line in complaint.lines { error("\(line)") }
    error("no change of the \(files): mend the files and send SIGHUP again")
  }
}

/// What SIGHUP reads again: the campaigns, the keys of tokens, and the certificate.
extension Serve {
  /// Whether SIGHUP reads files again, or only says that there are none.
  ///
  /// Else it ends the program, since it is a lost terminal's. A service has no terminal, and its reload
  /// must not end it.
  var hearsReloads: Bool {
    CampaignSource(campaigns).isDirectory || tlsOptions.files != nil || accessOptions.tokens != nil
      || isatty(STDIN_FILENO) == 0
  }

  /// The campaigns at the start; a mistake in them ends the program.
  func servedCampaigns(_ log: Logger) throws -> ServedCampaigns? {
    guard campaigns != "none" else { return nil }
    let source = CampaignSource(campaigns)
    do throws(FileComplaint) {
      let set = try source.campaignSet()
      log.info("campaigns", metadata: ["from": "\(campaigns)", "campaigns": "\(set.count)"])
      return ServedCampaigns(source, set)
    } catch {
      for line in error.lines { log.critical("\(line)") }
      log.critical("cannot serve: mend the campaign files, or leave --campaigns out")
      throw ExitCode(error.exitCode)
    }
  }

  /// What SIGHUP reads again at a server that decides.
  func reloaders(
    _ campaigns: ServedCampaigns?, for server: MatineeServer, on loop: EventLoop, _ log: Logger
  ) throws -> [any Reloading] {
    if let campaigns { server.use(campaigns.set) }
    return try [
      campaignReloader(campaigns, on: loop, log) { server.use($0) },
      certificateReloader(on: loop, log) { server.use($0) },
      tokenKeyReloader(within: server.limits, on: loop, log) { server.use($0) },
    ].compactMap { $0 }
  }

  /// Reads the campaigns again; `nil` if they are no files.
  func campaignReloader(
    _ campaigns: ServedCampaigns?, on loop: EventLoop, _ log: Logger,
    using use: @escaping (CampaignSet) -> Void
  ) throws(UVError) -> (any Reloading)? {
    guard let campaigns, campaigns.areFiles else { return nil }
    let source = campaigns.source
    return try reloader(
      of: "campaigns", on: loop, log,
      reading: { () throws(FileComplaint) in try source.campaignSet() },
      using: { set in
        use(set)
        return ["campaigns": "\(set.count)"]
      })
  }

  /// Reads the keys of tokens again; `nil` if the server takes none.
  func tokenKeyReloader(
    within limits: Limits, on loop: EventLoop, _ log: Logger,
    using use: @escaping (Access) -> Void
  ) throws(UVError) -> (any Reloading)? {
    guard let tokens = accessOptions.tokens else { return nil }
    return try reloader(
      of: "keys", on: loop, log,
      reading: { () throws(FileComplaint) in try tokens.access(within: limits) },
      using: { access in
        use(access)
        return ["file": "\(tokens.keyFile)"]
      })
  }

  /// Reads the certificate again; `nil` if none was named.
  func certificateReloader(
    on loop: EventLoop, _ log: Logger, using use: @escaping (TLSIdentity) -> Void
  ) throws(UVError) -> (any Reloading)? {
    guard let files = tlsOptions.files else { return nil }
    return try reloader(
      of: "certificate", on: loop, log,
      reading: { () throws(FileComplaint) in try files.reloaded() },
      using: { identity in
        use(identity)
        identity.tellExpiry(log)
        return ["fingerprint": "\(identity.fingerprint)"]
      })
  }

  /// Reads one kind of files again, and logs the outcome.
  private func reloader<Value: Sendable>(
    of files: String, on loop: EventLoop, _ log: Logger,
    reading read: @escaping FileReloader<Value>.Reading,
    using use: @escaping (Value) -> Logger.Metadata
  ) throws(UVError) -> FileReloader<Value> {
    try FileReloader(on: loop, reading: read) { result in
      switch result {
      case .success(let value):
        log.info("\(files) read again", metadata: use(value))
      case .failure(let complaint):
        log.tell(complaint, of: files)
      }
    }
  }
}
