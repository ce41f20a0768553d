package import JSON

/// The abilities that a client declares; a bit set in 16 bits, because the server stores one for
/// each peer.
package struct SyncplayFeatures: OptionSet, Equatable, Sendable {
  package let rawValue: UInt16

  /// The features with these bits.
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

  /// The features of a client of this version that declares none.
  package init(of version: SyncplayVersion) {
    self = []
    if version >= .readiness { formUnion([.readiness, .managedRooms]) }
    if version >= .playlists { formUnion(.sharedPlaylists) }
    if version >= .chat { formUnion(.chat) }
  }

  /// Reads the object; values that are not booleans are treated as absent, because third-party
  /// clients add fields of their own.
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
  /// Writes all features, because clients look up each one.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, feature) in Self.names { writer.field(name, contains(feature)) }
      writer.field(
        "uiMode", contains(.graphical) ? "GUI" : contains(.console) ? "CLI" : "Unknown")
    }
  }
}

/// A version as a list of numbers; the reference compares strings, so that 1.10.0 counts as older
/// than 1.5.0.
package struct SyncplayVersion: Equatable, Comparable, Sendable {
  private let numbers: [Int]

  /// Reads the leading numbers of a text such as `1.7.3` or `1.7.4-beta`; any other text has no
  /// numbers.
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

  /// Orders versions number by number; missing numbers are zero.
  package static func < (left: SyncplayVersion, right: SyncplayVersion) -> Bool {
    for place in 0..<max(left.numbers.count, right.numbers.count) {
      let (one, other) = (left.number(place), right.number(place))
      if one != other { return one < other }
    }
    return false
  }

  private func number(_ place: Int) -> Int { place < numbers.count ? numbers[place] : 0 }

  /// The first version with readiness and managed rooms.
  package static let readiness = SyncplayVersion("1.3.0")
  /// The first version with shared playlists.
  package static let playlists = SyncplayVersion("1.4.0")
  /// The first version with chat.
  package static let chat = SyncplayVersion("1.5.0")
}
