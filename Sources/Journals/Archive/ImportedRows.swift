import GRDB
import Vocabulary
import Wire

/// How an import writes rows: an exported line's values as the tables have them.
extension Database {
  func insertStream(
    _ id: Int, kind: String, name: String, began: Instant, ended: Instant?
  ) throws {
    let (id, began) = (Int64(id), began.microseconds)
    try insert(id, kind, name, began: began)
    if let ended { try end(id, kind, name, began: began, at: ended.microseconds) }
  }

  func insertEvent(of stream: Int, _ seq: Int, at instant: Instant, _ body: ExportedBody) throws {
    try insertEvent(
      Int64(seq), of: Int64(stream), at: instant.microseconds, format: body.format, body.text)
  }

  func insertSnapshot(
    of stream: Int, _ seq: Int, at instant: Instant, _ body: ExportedBody
  ) throws {
    try replaceSnapshot(
      Int64(seq), of: Int64(stream), at: instant.microseconds, format: body.format, body.text)
  }

  func insertAnswer(
    of stream: Int, slot: Int, number: Int, request: RequestID, _ body: ExportedBody
  ) throws {
    try replaceAnswer(
      JournalRow.Answer(
        of: Int64(stream), at: Int64(slot), Int64(number), to: request, format: body.format,
        body.text))
  }

  func insertClock(_ tie: ClockTie) throws {
    try setClock(tie.boot, host: tie.host.microseconds, instant: tie.instant.microseconds)
  }
}
