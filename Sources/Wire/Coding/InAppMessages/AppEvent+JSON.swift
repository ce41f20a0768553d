package import InAppMessaging
package import JSON
import Vocabulary

extension AppEvent: JSONWritable {
  /// Writes an object, for a journal; on the wire each has a request of its own.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("type", word: name)
    switch self {
    case .launch, .foreground, .sessionStart: break
    case .event(let name, let properties):
      writer.field("name", name)
      writer.properties(properties)
    case .purchase(let product, let properties):
      writer.field("product", product)
      writer.properties(properties)
    case .pushOpened(let campaign): if let campaign { writer.field("campaign", campaign) }
    }
    writer.endObject()
  }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    self =
      switch try object.choice("type", among: Name.self) {
      case .launch: .launch
      case .foreground: .foreground
      case .sessionStart: .sessionStart
      case .event:
        .event(name: try object.string("name", maximum: .max), properties: try object.properties())
      case .purchase:
        .purchase(
          product: try object.string("product", maximum: .max),
          properties: try object.properties())
      case .pushOpened:
        .pushOpened(campaign: try object.optionalString("campaign", maximum: .max))
      }
  }
}
