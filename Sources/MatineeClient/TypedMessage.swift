import FoundationEssentials
import Vocabulary

/// An app's message on its way: the name of its type, and the value.
///
/// So two types that look alike do not get one another's messages.
struct TypedMessage<Value> {
  private enum CodingKeys: String, CodingKey {
    case type = "matinee.type"
    case value
  }

  let value: Value

  /// What messages of the type are called.
  static var type: String {
    (Value.self as? any CustomMessageIdentifiable.Type)?.messageIdentifier
      ?? String(reflecting: Value.self)
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

  /// Reads a message; `nil` if it is another type's.
  ///
  /// One without a type's name comes from a client of another maker: it is everybody's who can read
  /// it.
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

/// A message type that names itself: GroupActivities' protocol of that name.
///
/// Messages travel with the name of their type, by default that of the Swift type with its module.
/// Apps that share a message but not a module, or that renamed a type, say the name themselves.
public protocol CustomMessageIdentifiable {
  /// What a message of this type is called on its way.
  static var messageIdentifier: String { get }
}

/// Apps' own values as JSON and back: the one use of Foundation, and only at an app's pace.
enum PayloadCoding {
  static func encode(_ value: some Encodable) throws(GroupWatchError) -> JSONText {
    let encoder = JSONEncoder()
    // Equal values must come out the same: that is what merges two activations of one thing.
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
