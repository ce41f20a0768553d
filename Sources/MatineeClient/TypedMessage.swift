import Vocabulary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The full name of a type, which is the same in each process of an app.
///
/// Swift names the context of a private or local type by an address in memory, which is left out; so
/// such types of one module need different names.
func typeName(of type: Any.Type) -> String {
  String(reflecting: type).replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
}

/// The wire form of an app's message: the name of its type, and the value.
///
/// The name keeps a message from being decoded as another type of the same form.
struct TypedMessage<Value> {
  private enum CodingKeys: String, CodingKey {
    case type = "matinee.type"
    case value
  }

  let value: Value

  /// The name of the message type on the wire.
  static var type: String {
    (Value.self as? any CustomMessageIdentifiable.Type)?.messageIdentifier
      ?? typeName(of: Value.self)
  }
}

extension TypedMessage: Encodable where Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.type, forKey: .type)
    try container.encode(value, forKey: .value)
  }
}

extension TypedMessage: Decodable where Value: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    guard type == Self.type else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: container, debugDescription: "a message of the type \(type)")
    }
    value = try container.decode(Value.self, forKey: .value)
  }

  /// Decodes a message; `nil` if it has another type.
  ///
  /// A message without a type name comes from another maker's client; it is decoded as `Value` if
  /// it fits.
  static func value(of payload: JSONText) -> Value? {
    do throws(GroupWatchError) {
      guard payload.text.contains(#""matinee.type":"#) else {
        return try PayloadCoding.decode(Value.self, from: payload)
      }
      return try PayloadCoding.decode(Self.self, from: payload).value
    } catch {
      return nil
    }
  }
}

/// A message type that has its own name; see GroupActivities' protocol of the same name.
///
/// Messages are sent with the name of their type, by default the Swift type's name with its module.
/// Conform a type that apps share across modules, or that was renamed, to give it a fixed name.
public protocol CustomMessageIdentifiable {
  /// The name of this message type on the wire.
  static var messageIdentifier: String { get }
}

/// Encodes and decodes apps' values as JSON.
///
/// It is this library's only use of Foundation, and it runs only for apps' own values.
enum PayloadCoding {
  static func encode(_ value: some Encodable) throws(GroupWatchError) -> JSONText {
    let encoder = JSONEncoder()
    // Equal values must have equal text, because equal activities are recognized by it.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return JSONText(validated: String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      throw GroupWatchError(
        .notEncodable, "the value cannot be written as JSON: \(error)",
        advice: "use only numbers that are finite")
    }
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from payload: JSONText
  ) throws(GroupWatchError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(payload.text.utf8))
    } catch {
      throw GroupWatchError(
        .notEncodable, "what came cannot be read as \(type): \(error)",
        advice: "update whichever app is older")
    }
  }
}
