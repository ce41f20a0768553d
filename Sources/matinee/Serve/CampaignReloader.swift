import CampaignFiles
import EventLoops
import InAppMessaging
import Logging

/// Reads a server's campaigns again when it is told to, and has the server go on with the old ones
/// where there are mistakes.
///
/// Confined to the loop's thread. Files are read on a thread of its own, since a disk can take its
/// time and peers do not wait for it.
final class CampaignReloader {
  private let use: (CampaignSet) -> Void
  private let log: Logger
  private var reading: BatchThread<Request>?
  private var mailbox: LoopMailbox<CampaignReloader>?

  /// Somebody wants the files read; several at once are one.
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

  /// Has the files read, and used where all is well.
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

  /// Lets go of the loop; a second call does nothing.
  ///
  /// A reading that is under way is not waited for, since its disk may hang: it ends by itself, or
  /// with the process, and what it read is let go of.
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
  /// What is wrong, a mistake a line.
  let lines: [String]
  /// sysexits.h's: 65 for mistakes, 66 where there is no such directory.
  let exitCode: Int32
}

extension CampaignSource {
  /// Reads the campaigns, ready to be used.
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
