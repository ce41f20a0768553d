/// A log whose middle is damaged, made readable again.
///
/// SQLite reads a log up to the first frame whose sum is wrong, and then writes over the rest, with
/// all acknowledged transactions in it. Here the rest is recognized, because each frame carries the
/// sum up to it: a frame behind the damage continues the sum that its predecessor was written with.
/// If one word of a frame is wrong, the sums tell which, and it is restored. Otherwise the page is
/// kept as it is, and the sums of its rows tell which of them are readable.
struct LogRepair {
  private(set) var log: WriteAheadLog
  /// What was found; `nil` if SQLite reads the whole log.
  private(set) var finding: Finding?
  /// What tells this log's frames from those of earlier logs.
  private let salt: UInt64
  /// The last frame that certainly belongs to this log and ends a transaction.
  private let lastCommit: Int

  /// What is damaged, and what becomes of it.
  struct Finding: Equatable, Sendable {
    /// Frames, with the header as 0, that are as they were written again.
    fileprivate(set) var restored: [Int] = []
    /// Frames whose pages are kept with what is wrong in them.
    fileprivate(set) var doubtful: [Int] = []
    /// What lies behind a frame that does not even say which page it holds.
    fileprivate(set) var lost = Extent()
    /// The transactions from the first damaged frame on that are read again.
    fileprivate(set) var saved = 0

    /// The first frame that is not as it was written.
    fileprivate(set) var first = 0

    struct Extent: Equatable, Sendable {
      var frames = 0
      var transactions = 0
    }
  }

  init(_ log: WriteAheadLog) {
    self.log = log
    let isHeaderSound = log.sum(of: 0, after: LogSum()) == log.sum(of: 0)
    salt = log.salt(of: isHeaderSound ? 0 : 1)
    lastCommit = Self.lastCommit(in: log, salt: salt)
    repair()
  }

  /// The last frame that ends a transaction and continues the sum of its predecessor.
  private static func lastCommit(in log: WriteAheadLog, salt: UInt64) -> Int {
    let frames = stride(from: log.lastBlock, to: 0, by: -1)
    return frames.first { frame in
      log.salt(of: frame) == salt && log.commit(of: frame) != 0
        && log.sum(of: frame, after: log.sum(of: frame - 1)) == log.sum(of: frame)
    } ?? 0
  }

  private mutating func repair() {
    var finding = Finding()
    var previous = LogSum()
    var end = 0
    for block in 0...log.lastBlock {
      guard let sum = examine(block, after: previous, &finding) else { break }
      previous = sum
      end = block
    }
    let lost = frames(from: end + 1, through: lastCommit)
    finding.lost = .init(frames: lost.count, transactions: transactions(in: lost))
    guard let first = (finding.restored + finding.doubtful).min() ?? lost.first else { return }
    finding.first = first
    finding.saved = transactions(in: frames(from: first, through: end))
    self.finding = finding
    close(after: (0...end).last { $0 == 0 || log.commit(of: $0) != 0 } ?? 0)
  }

  private func frames(from first: Int, through last: Int) -> [Int] {
    let first = max(first, 1)
    return first > last ? [] : (first...last).filter { log.salt(of: $0) == salt }
  }

  private func transactions(in frames: [Int]) -> Int { frames.count { log.commit(of: $0) != 0 } }

  /// Ends the log after a transaction, and writes the sums anew.
  private mutating func close(after last: Int) {
    log.truncate(after: last)
    var sum = LogSum()
    for block in 0...last {
      sum = log.sum(of: block, after: sum)
      log.setSum(sum, of: block)
    }
  }

  // MARK: One block

  /// Judges a block, and restores it if that is possible.
  ///
  /// - Returns: the sum with which the next block continues; `nil` if the log ends before this block.
  private mutating func examine(
    _ block: Int, after previous: LogSum, _ finding: inout Finding
  ) -> LogSum? {
    let written = log.sum(of: block)
    let sum = log.sum(of: block, after: previous)
    if sum == written {
      if log.salt(of: block) != salt {
        log.setSalt(salt, of: block)
        finding.restored.append(block)
      }
      return sum
    }
    if isContinued(block, sum) {
      // Only the sum itself is wrong.
      finding.restored.append(block)
      return sum
    }
    guard block > 0 else {
      guard lastCommit > 0 else { return nil }
      log.writeHeader(salt: salt)
      finding.restored.append(block)
      return written
    }
    guard log.salt(of: block) == salt else { return nil }
    let corrections = log.corrections(of: block, from: sum)
    if corrections.count == 1 {
      log.correct(corrections[0], of: block)
      finding.restored.append(block)
      return written
    }
    guard block <= lastCommit, !corrections.contains(where: WriteAheadLog.isOfHeader),
      hasKnownPage(block)
    else { return nil }
    finding.doubtful.append(block)
    return written
  }

  /// Whether the next frame continues a sum.
  private func isContinued(_ block: Int, _ sum: LogSum) -> Bool {
    block < log.lastBlock && log.sum(of: block + 1, after: sum) == log.sum(of: block + 1)
  }

  /// Whether the page that a frame names is one of the database.
  private func hasKnownPage(_ frame: Int) -> Bool {
    (1...max(1, log.commit(of: lastCommit))).contains(log.page(of: frame))
  }
}
