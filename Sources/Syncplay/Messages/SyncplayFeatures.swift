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
