import JSON
import SyncplayComparison

extension ComparisonTable {
  /// The figures as one line of JSON, each in the unit that it names.
  ///
  /// Of each what every round showed, and what it comes to; what is not known is null.
  static func json(of parts: [ComparisonTable], rounds: Int, load: String?) -> String {
    var writer = JSONWriter()
    writer.object { object in
      object.field("comparison", "syncplay")
      object.field("rounds", rounds)
      load.map { object.field("load", $0) }
      object.array("figures") { array in
        for part in parts {
          for row in part.rows { array.object { write(row, to: &$0) } }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func write(_ row: Row, to object: inout JSONWriter) {
    let (figure, reference) = (row.figure, row.reference)
    object.field("phase", figure.phase)
    object.field("figure", figure.name)
    object.field("unit", figure.unit.rawValue)
    object.object("reference") { write(reference, to: &$0) }
    object.object("matinee") { write(figure, to: &$0) }
    if let bare = row.yardstick { object.object("bareLibuv") { write(bare, to: &$0) } }
    guard let isMet = figure.isMet(beside: reference?.value) else { return }
    object.field("met", isMet)
    if !isMet { object.field("withinScatter", figure.isWithinScatter(of: reference)) }
  }

  private static func write(_ figure: ComparisonFigure?, to object: inout JSONWriter) {
    if let value = figure?.value { object.field("value", value) } else { object.null("value") }
    object.array("rounds") { array in
      for value in figure?.values ?? [] {
        if let value { array.element(value) } else { array.elementNull() }
      }
    }
  }
}
