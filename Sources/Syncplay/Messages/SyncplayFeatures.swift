package import JSON

/// What a client says it can do; in a byte and a word, since a server keeps one for each peer.
package struct SyncplayFeatures: OptionSet, Equatable, Sendable {
  package let rawValue: UInt16

  /// The features of these bits.
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let sharedPlaylists = SyncplayFeatures(rawValue: 1)
  package static let chat = SyncplayFeatures(rawValue: 2)
  package static let featureList = SyncplayFeatures(rawValue: 4)
  package static let readiness = SyncplayFeatures(rawValue: 8)
  package static let managedRooms = SyncplayFeatures(rawValue: 16)
  package static let persistentRooms = SyncplayFeatures(rawValue: 32)
  package static let setOthersReadiness = SyncplayFeatures(rawValue: 64)
  /// `uiMode` "GUI".
  package static let graphical = SyncplayFeatures(rawValue: 128)
  /// `uiMode` "CLI".
  package static let console = SyncplayFeatures(rawValue: 256)

  private static let names: [(String, SyncplayFeatures)] = [
    ("sharedPlaylists", .sharedPlaylists), ("chat", .chat), ("featureList", .featureList),
    ("readiness", .readiness), ("managedRooms", .managedRooms),
    ("persistentRooms", .persistentRooms), ("setOthersReadiness", .setOthersReadiness),
  ]

  /// What a client of that version can do that says nothing.
  package init(of version: SyncplayVersion) {
    self = []
    if version >= .readiness { formUnion([.readiness, .managedRooms]) }
    if version >= .playlists { formUnion(.sharedPlaylists) }
    if version >= .chat { formUnion(.chat) }
  }

  /// Reads the object; what is no truth value is taken for not said, as third parties add their
  /// own.
  init(_ object: borrowing JSONObject) {
    self = []
    for (name, feature) in Self.names {
      guard let value = object.optionalValue(name) else { continue }
      do throws(DecodingFlaw) {
        if try value.bool() { formUnion(feature) }
      } catch {}
    }
    guard let mode = object.optionalValue("uiMode") else { return }
    do throws(DecodingFlaw) {
      switch try mode.string(maximum: 16) {
      case "GUI": formUnion(.graphical)
      case "CLI": formUnion(.console)
      default: break
      }
    } catch {}
  }
}

extension SyncplayFeatures: JSONWritable {
  /// Writes all features, as clients look for each.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, feature) in Self.names { writer.field(name, contains(feature)) }
      writer.field(
        "uiMode", contains(.graphical) ? "GUI" : contains(.console) ? "CLI" : "Unknown")
    }
  }
}

/// A version as its numbers: the reference compares texts, to which 1.10.0 is older than 1.5.0.
package struct SyncplayVersion: Equatable, Comparable, Sendable {
  private let numbers: [Int]

  /// Reads the leading numbers of a text such as `1.7.3` or `1.7.4-beta`; of anything else, none.
  package init(_ text: String) {
    var numbers: [Int] = []
    for part in text.split(separator: ".", maxSplits: 4).prefix(4) {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits) else { break }
      numbers.append(number)
      if digits.count < part.count { break }
    }
    self.numbers = numbers
  }

  /// Orders versions number by number; missing ones are zero.
  package static func < (left: SyncplayVersion, right: SyncplayVersion) -> Bool {
    for place in 0..<max(left.numbers.count, right.numbers.count) {
      let (one, other) = (left.number(place), right.number(place))
      if one != other { return one < other }
    }
    return false
  }

  private func number(_ place: Int) -> Int { place < numbers.count ? numbers[place] : 0 }

  /// The first with readiness and managed rooms.
  package static let readiness = SyncplayVersion("1.3.0")
  /// The first with shared playlists.
  package static let playlists = SyncplayVersion("1.4.0")
  /// The first with chat.
  package static let chat = SyncplayVersion("1.5.0")
  /// The first in which somebody who may steer can set others' readiness; an older one takes the
  /// name in such a message for its own.
  package static let othersReadiness = SyncplayVersion("1.7.2")
}
