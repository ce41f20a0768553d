import Vocabulary

/// What rooms are called, and the groups that they are.
package enum RoomName {
  /// A room's name as it counts: cut to the maximum, but for a managed room's, which would be an
  /// ordinary room of that name that everybody steers.
  package static func truncated(_ name: String, options: SyncplayOptions) -> String {
    let maximum = options.maximumRoomNameLength
    if let room = ManagedRoom(name), room.base.codePointCount <= maximum { return name }
    return name.truncated(toCodePoints: maximum)
  }

  /// The group of a room: the one of its name, so that everybody who knows it meets there.
  static func group(of name: String, limits: Limits) -> GroupID {
    GroupID(identifier(name, limits: limits))
  }

  /// A text as an identifier: one longer than those may be, as 35 letters of three bytes are, is
  /// cut and told apart by its hash; so are the empty one, and one with control characters, which
  /// identifiers do not hold.
  static func identifier(_ text: String, limits: Limits) -> String {
    guard text.isEmpty || text.utf8.count > limits.identifierBytes || text.hasControls else {
      return text
    }
    let mark = "~" + SyncplayHash.sha256(text).prefix(12)
    let shown = text.filter { !$0.unicodeScalars.contains(where: \.isControl) }
    return shown.truncated(toBytes: limits.identifierBytes - mark.utf8.count) + mark
  }

  /// Whether a room goes with its last client whatever is in it.
  static func isTemporary(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("-temp") || name.contains("-temp:")
  }
}
