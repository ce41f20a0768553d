import Dispatch
import EventLoops
import Foundation
import GRDB

/// Reads live streams on several threads, each through a connection of its own.
///
/// A thread that is done with some streams takes the next: how much there is to read of which is not
/// known before.
struct ConcurrentReading: Sendable {
  typealias Streams = [Result<ReadStream, UnreadableRecord>]

  private struct Progress {
    /// Where the streams begin that nobody took yet.
    var next = 0
    /// What was read, by where it begins.
    var read: [Int: Streams] = [:]
    var failure: (any Error)?
  }

  private let path: String
  private let streams: [JournalRow.Stream]
  private let unfiledAnswers: UnfiledAnswers?
  private let extent: StreamReading.Extent
  private let progress = Locked(Progress())

  /// Enough that the statements' beginnings count for nothing, and few enough that all threads are
  /// done at about the same time.
  private static let partSize = 512
  /// Each reserves memory for the longest text, and more would wait for the disk.
  private static let threadsMaximum = 4

  /// - Parameters:
  ///   - streams: all live ones that are devices', or all others, in their order.
  ///   - unfiledAnswers: what is not in the rings; `nil` if no devices are read.
  init(
    _ path: String, of streams: [JournalRow.Stream], unfiledAnswers: UnfiledAnswers? = nil,
    _ extent: StreamReading.Extent
  ) {
    self.path = path
    self.streams = streams
    self.unfiledAnswers = unfiledAnswers
    self.extent = extent
  }

  /// What the streams held, in their order, part by part; returns when all threads have let go of
  /// the file.
  ///
  /// - Throws: ``Damage`` where the file is not as it was written, ``NewerRecord`` where a newer
  ///   Matinee wrote to it.
  func readAll() throws -> [Streams] {
    let partCount = (streams.count + Self.partSize - 1) / Self.partSize
    let threadCount = min(
      partCount, ProcessInfo.processInfo.activeProcessorCount, Self.threadsMaximum)
    DispatchQueue.concurrentPerform(iterations: threadCount) { _ in readParts() }
    let (read, failure) = progress.withLock { ($0.read, $0.failure) }
    if let failure { throw failure }
    return read.sorted { $0.key < $1.key }.map(\.value)
  }

  private func readParts() {
    do {
      var configuration = Configuration()
      configuration.readonly = true
      try DatabaseQueue(path: path, configuration: configuration).read { database in
        var reading = try StreamReading(database, extent, unfiledAnswers)
        while let part = nextPart() {
          let read = try reading.read(streams[part])
          progress.withLock { $0.read[part.lowerBound] = read }
        }
      }
    } catch {
      progress.withLock { progress in
        progress.failure = progress.failure ?? error
        progress.next = streams.count
      }
    }
  }

  private func nextPart() -> Range<Int>? {
    progress.withLock { progress in
      guard progress.next < streams.count else { return nil }
      let part = progress.next..<min(progress.next + Self.partSize, streams.count)
      progress.next = part.upperBound
      return part
    }
  }
}
