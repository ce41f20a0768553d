import Coordination
import Dispatch
import EventLoops
import GRDB
import Vocabulary

/// Reads the devices, on a thread and a connection of its own while the rest of the file is read: of
/// a large start they and their late answers are half.
struct DeviceReading: Sendable {
  /// By the number of the device's stream.
  typealias Devices = [Int64: Result<RecordedStream, UnreadableRecord>]

  private let work = DispatchGroup()
  private let outcome = Locked<Result<Devices, any Error>>(.success([:]))

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - devices: the live streams of devices, in their order.
  ///   - answersPerDevice: how many of each are wanted, the latest.
  init(_ path: String, of devices: [JournalRow.Stream], answersPerDevice: Int) {
    DispatchQueue.global().async(group: work) { [outcome] in
      let read = Result {
        try Self.read(path, of: devices, answersPerDevice)
      }
      outcome.withLock { $0 = read }
    }
  }

  /// Waits until all is read.
  func wait() {
    work.wait()
  }

  /// What was read; waits for it.
  ///
  /// - Throws: ``Damage`` where the file is not as it was written, ``NewerRecord`` where a newer
  ///   Matinee wrote to it.
  func get() throws -> Devices {
    wait()
    return try outcome.withLock { $0 }.get()
  }

  private static func read(
    _ path: String, of devices: [JournalRow.Stream], _ answersPerDevice: Int
  ) throws -> Devices {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: path, configuration: configuration).read { database in
      var events = EventRows(database, isOfDevices: true)
      var answers = StreamRows(database, JournalSQL.liveAnswers)
      var reader = RecordReader()
      var all: Devices = [:]
      all.reserveCapacity(devices.count)
      for stream in devices {
        do {
          all[stream.id] = .success(
            RecordedStream(
              .device(DeviceID(stream.name)),
              events: try events.events(of: stream.id, .device, after: 0, &reader),
              answers: try Self.answers(of: stream, &answers, &reader, answersPerDevice)))
        } catch let error as UnreadableRecord {
          all[stream.id] = .failure(error)
        }
      }
      return all
    }
  }

  private static func answers(
    of stream: JournalRow.Stream, _ rows: inout StreamRows, _ reader: inout RecordReader,
    _ answersPerDevice: Int
  ) throws -> [RecordedAnswer] {
    let device = DeviceID(stream.name)
    var answers: [RecordedAnswer] = []
    var newest = 0
    while let row = try rows.next(of: stream.id) {
      let answer = try JournalRow.Answer(row, of: stream.id, from: 1)
      newest = max(newest, Int(answer.number))
      answers.append(
        RecordedAnswer(
          device: device, request: answer.request,
          try reader.outcome(answer.body, format: answer.format), number: Int(answer.number)))
    }
    let oldest = newest - answersPerDevice
    // A smaller ring than before leaves old ones lying.
    if answers.contains(where: { $0.number <= oldest }) {
      answers.removeAll { $0.number <= oldest }
    }
    return answers.inOrder()
  }
}
