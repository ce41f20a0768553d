import Dispatch
import EventLoops
import Foundation
import GRDB
import Vocabulary

/// Reads a journal's file in one transaction; a ``ConcurrentReading`` reads the live streams.
struct JournalReading: ~Copyable {
  private let database: Database
  private let now: Instant
  private let limits: Limits
  private let path: String
  private let answersPerDevice: Int
  private var read = ReadContents()

  /// - Parameter path: the file, for further connections.
  init(
    _ database: Database, path: String, limits: Limits, answersPerDevice: Int, at now: Instant
  ) {
    self.database = database
    self.path = path
    self.limits = limits
    self.answersPerDevice = answersPerDevice
    self.now = now
  }

  /// The contents, the position of each live stream, and the largest id that any stream ever had.
  ///
  /// A stream that this build cannot understand is set aside under another kind, which frees its
  /// name.
  ///
  /// - Throws: ``Damage`` if the file is not as it was written, ``NewerRecord`` if a newer Matinee
  ///   wrote to it.
  consuming func readAll() throws -> (JournalContents, [LiveStream], lastStream: Int64) {
    let streams = try liveStreams()
    let unreadable = try read(streams)
    try readEndings(limits.tombstones)
    try readClock()
    read.dropOutdated(limits)
    for (stream, error) in unreadable { try setAside(stream, error) }
    let lastStream = try Int64.fetchOne(database, sql: JournalSQL.lastStream) ?? 0
    if !unreadable.isEmpty { try database.setTally(read.live.count, last: lastStream) }
    return (read.contents, read.live, lastStream)
  }

  private func liveStreams() throws -> [JournalRow.Stream] {
    var streams: [JournalRow.Stream] = []
    let rows = try Row.fetchCursor(database, sql: JournalSQL.liveStreams)
    while let row = try rows.next() { streams.append(try JournalRow.Stream(row)) }
    try check(streams)
    return streams
  }

  /// Checks the index of live streams, which may lack an entry of the table or list one twice.
  private func check(_ streams: [JournalRow.Stream]) throws {
    guard streams.allSatisfy({ $0.ended == nil }),
      Set(streams.map(\.id)).count == streams.count
    else { throw Damage("the index of live streams differs from the table") }
    let expected = try Int64.fetchOne(database, sql: JournalSQL.liveCount)
    guard expected == Int64(streams.count) else {
      throw Damage("there are \(streams.count) live streams, not \(expected ?? 0)")
    }
  }

  private mutating func setAside(
    _ stream: JournalRow.Stream, _ error: UnreadableRecord
  ) throws {
    let now = read.contents.latest ?? now
    try database.fileAnswers(of: stream.id)
    try database.end(
      stream.id, "unreadable \(stream.kind)", stream.name, began: stream.began,
      at: now.microseconds)
    try database.addNotice(read.noteUnreadable(stream, error), at: now)
  }
}

// MARK: Streams

extension JournalReading {
  /// Reads the live streams into the contents, devices last; returns those that cannot be
  /// understood.
  private mutating func read(
    _ streams: [JournalRow.Stream]
  ) throws -> [(JournalRow.Stream, UnreadableRecord)] {
    let extent = ReadingExtent(
      answersPerDevice: answersPerDevice, earlierEvents: limits.retainedEvents,
      start: ReadContents.earliestNews(
        after: try Int64.fetchOne(database, sql: JournalSQL.latestSnapshot), limits, at: now))
    let others = streams.filter { !$0.isOfDevice }
    let devices = streams.filter(\.isOfDevice)
    var unfiled = UnfiledAnswers()
    try unfiled.add(JournalSQL.recentAnswers, from: database)
    let unreadable = try take(ConcurrentReading(path, of: others, extent), of: others, &unfiled)
    // Their answers stay valid, even though the events cannot be understood.
    for (stream, _) in unreadable {
      try unfiled.add(JournalSQL.unfiledAnswers, [stream.id], from: database)
    }
    let reading = ConcurrentReading(path, of: devices, unfiledAnswers: unfiled, extent)
    return try unreadable + take(reading, of: devices, &unfiled)
  }

  /// Adds streams and the answers in their events; returns the streams that cannot be understood.
  private mutating func take(
    _ reading: ConcurrentReading, of streams: [JournalRow.Stream], _ unfiled: inout UnfiledAnswers
  ) throws -> [(JournalRow.Stream, UnreadableRecord)] {
    var unreadable: [(JournalRow.Stream, UnreadableRecord)] = []
    for (stream, read) in zip(streams, try reading.readAll().joined()) {
      do throws(UnreadableRecord) {
        let stored = try read.get()
        self.read.take(stored, of: stream)
        for answer in stored.answers { unfiled.add(answer) }
      } catch {
        unreadable.append((stream, error))
      }
    }
    return unreadable
  }
}

// MARK: Ended sessions and the clock

extension JournalReading {
  private mutating func readEndings(_ count: Int) throws {
    let rows = try Row.fetchCursor(database, sql: JournalSQL.endings, arguments: [count])
    while let row = try rows.next() {
      let stream = try JournalRow.Stream(row)
      let record = try JournalRow.Record(row, of: stream.id, from: 6)
      try read.take(endOf: stream.name, record.body, format: record.format)
    }
    if let end = try Int64.fetchOne(database, sql: JournalSQL.latestEnd) { read.note(end) }
  }

  private mutating func readClock() throws {
    guard let row = try Row.fetchOne(database, sql: JournalSQL.clock) else { return }
    let (boot, host, instant) = try JournalRow.clock(row)
    read.take(clock: boot, host: host, instant: instant)
  }
}

/// Reads live streams on several threads, each with a connection of its own.
///
/// Threads take parts one by one from a shared queue, because the size of a stream is not known in
/// advance.
struct ConcurrentReading: Sendable {
  typealias Streams = [Result<ReadStream, UnreadableRecord>]

  private struct Progress {
    /// The index of the first stream that no thread has taken.
    var next = 0
    /// The results of each part, by the index of its first stream.
    var read: [Int: Streams] = [:]
    var failure: (any Error)?
  }

  private let path: String
  private let streams: [JournalRow.Stream]
  private let unfiledAnswers: UnfiledAnswers?
  private let extent: ReadingExtent
  private let progress = Locked(Progress())

  /// Streams per part: large enough that starting the statements costs little, small enough that
  /// all threads finish at about the same time.
  private static let partSize = 512
  /// Each thread reserves memory for the longest text, and more threads would only wait for the
  /// disk.
  private static let threadsMaximum = 4

  /// - Parameters:
  ///   - streams: either all live devices or all other live streams, in order.
  ///   - unfiledAnswers: the answers that are not in rings; `nil` when reading streams other than
  ///     devices.
  init(
    _ path: String, of streams: [JournalRow.Stream], unfiledAnswers: UnfiledAnswers? = nil,
    _ extent: ReadingExtent
  ) {
    self.path = path
    self.streams = streams
    self.unfiledAnswers = unfiledAnswers
    self.extent = extent
  }

  /// The content of the streams in their order, part by part.
  ///
  /// Returns after all threads have closed their connections.
  ///
  /// - Throws: ``Damage`` if the file is not as it was written, ``NewerRecord`` if a newer Matinee
  ///   wrote to it.
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
        var reading = StreamReading(try FileRows(database), extent, unfiledAnswers)
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
