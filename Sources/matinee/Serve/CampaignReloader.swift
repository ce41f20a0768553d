import CampaignFiles
import EventLoops
import InAppMessaging
import Logging

/// Reloads a server's campaigns on request; with mistakes in the files, the server keeps the old
/// ones.
///
/// Confined to the loop's thread. It reads the files on a thread of its own, because a slow disk
/// must not block peers.
final class CampaignReloader {
  private let use: (CampaignSet) -> Void
  private let log: Logger
  private var reading: BatchThread<Request>?
  private var mailbox: LoopMailbox<CampaignReloader>?

  /// Requests a reload; several requests at once make one.
  private struct Request: Sendable {}

  private final class Reader: BatchConsumer {
    private let read: Reading
    private let told: (Result<CampaignSet, CampaignsComplaint>) -> Void

    init(
      _ read: @escaping Reading, _ told: @escaping (Result<CampaignSet, CampaignsComplaint>) -> Void
    ) {
      self.read = read
      self.told = told
    }

    func consume(_ requests: [Request]) {
      told(Result { () throws(CampaignsComplaint) in try read() })
    }

    func finish() {}
  }

  /// Reads all campaigns; it may block.
  typealias Reading = @Sendable () throws(CampaignsComplaint) -> CampaignSet

  init(
    on loop: EventLoop, _ log: Logger, reading read: @escaping Reading,
    using use: @escaping (CampaignSet) -> Void
  ) throws(UVError) {
    self.use = use
    self.log = log
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    reading = try BatchThread(every: .zero) {
      Reader(read) { result in mailbox.post { $0.take(result) } }
    }
  }

  /// Reloads the files, and uses them if they have no mistakes.
  func reload() {
    reading?.post(Request())
  }

  private func take(_ result: Result<CampaignSet, CampaignsComplaint>) {
    switch result {
    case .success(let campaigns):
      use(campaigns)
      log.info("campaigns read again", metadata: ["campaigns": "\(campaigns.count)"])
    case .failure(let complaint):
      for line in complaint.lines { log.error("\(line)") }
      log.error("the campaigns stay as they are: mend the files and send SIGHUP again")
    }
  }

  /// Releases the loop; a second call does nothing.
  ///
  /// It does not wait for a read under way, because the disk may hang: that read ends on its own or
  /// with the process, and its result is dropped.
  func close() {
    reading?.stop()
    reading = nil
    mailbox?.close()
    mailbox = nil
  }
}

@available(*, unavailable)
extension CampaignReloader: Sendable {}

/// Why a server cannot use campaign files.
struct CampaignsComplaint: Error, Equatable, Sendable {
  /// The mistakes, one a line.
  let lines: [String]
  /// As in sysexits.h: 65 for mistakes, 66 for a missing directory.
  let exitCode: Int32
}

extension CampaignSource {
  /// Reads and compiles the campaigns.
  func campaignSet() throws(CampaignsComplaint) -> CampaignSet {
    let entries: [CampaignEntry]
    do throws(CampaignFilesError) {
      entries = try read()
    } catch {
      switch error {
      case .unreadable: throw CampaignsComplaint(lines: ["\(error)"], exitCode: 66)
      case .refused(let errors):
        throw CampaignsComplaint(lines: errors.map { "\($0)" }, exitCode: 65)
      }
    }
    do throws(CampaignProblem) {
      return try CampaignSet(entries.map(\.campaign))
    } catch {
      throw CampaignsComplaint(lines: ["\(error)"], exitCode: 65)
    }
  }
}
