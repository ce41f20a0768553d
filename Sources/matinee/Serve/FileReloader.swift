import CampaignFiles
import EventLoops
import InAppMessaging

/// What reads files of the server again when a person asks for it.
protocol Reloading: AnyObject {
  func reload()
  /// Releases the loop; a second call does nothing.
  func close()
}

/// Reads files of the server again on request, such as its campaigns; with mistakes in them, the
/// server keeps what it has.
///
/// Confined to the loop's thread. It reads the files on a thread of its own, because a slow disk
/// must not block peers.
final class FileReloader<Value: Sendable>: Reloading {
  private let use: (Result<Value, FileComplaint>) -> Void
  private var reading: BatchThread<ReloadRequest>?
  private var mailbox: LoopMailbox<FileReloader>?

  /// Reads the files; it may block.
  typealias Reading = @Sendable () throws(FileComplaint) -> Value

  /// - Parameters:
  ///   - read: reads the files, on another thread.
  ///   - use: takes what was read, on the loop's thread.
  init(
    on loop: EventLoop, reading read: @escaping Reading,
    using use: @escaping (Result<Value, FileComplaint>) -> Void
  ) throws(UVError) {
    self.use = use
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    reading = try BatchThread(every: .zero) {
      FileReader(read) { result in mailbox.post { $0.use(result) } }
    }
  }

  /// Reads the files again.
  func reload() {
    reading?.post(ReloadRequest())
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

/// Requests a reload; several requests at once make one.
private struct ReloadRequest: Sendable {}

private final class FileReader<Value: Sendable>: BatchConsumer {
  private let read: FileReloader<Value>.Reading
  private let told: (Result<Value, FileComplaint>) -> Void

  init(
    _ read: @escaping FileReloader<Value>.Reading,
    _ told: @escaping (Result<Value, FileComplaint>) -> Void
  ) {
    self.read = read
    self.told = told
  }

  func consume(_ requests: [ReloadRequest]) {
    told(Result { () throws(FileComplaint) in try read() })
  }
}

@available(*, unavailable)
extension FileReloader: Sendable {}

/// Why a server cannot use its files.
struct FileComplaint: Error, Equatable, Sendable, CustomStringConvertible {
  /// The mistakes, one a line.
  let lines: [String]
  /// As in sysexits.h: 65 for mistakes, 66 for a missing directory.
  let exitCode: Int32

  var description: String { lines.joined(separator: "; ") }
}

extension CampaignSource {
  /// Reads and compiles the campaigns.
  func campaignSet() throws(FileComplaint) -> CampaignSet {
    let entries: [CampaignEntry]
    do throws(CampaignFilesError) {
      entries = try read()
    } catch {
      switch error {
      case .unreadable: throw FileComplaint(lines: ["\(error)"], exitCode: 66)
      case .refused(let errors):
        throw FileComplaint(lines: errors.map { "\($0)" }, exitCode: 65)
      }
    }
    do throws(CampaignProblem) {
      return try CampaignSet(entries.map(\.campaign))
    } catch {
      throw FileComplaint(lines: ["\(error)"], exitCode: 65)
    }
  }
}
