/// What is heard when a notification arrives.
public struct NotificationSound: Hashable, Sendable {
  /// The file's name; `default` is the device's own sound.
  public var name: String
  /// Whether it is heard even on a device that was told to be silent.
  public var isCritical: Bool
  /// Of a critical sound, 0 … 1; `nil` is as loud as the device has it.
  public var volume: Double?

  /// A sound; a volume beyond 0 … 1 is the nearer of the two.
  public init(_ name: String, isCritical: Bool = false, volume: Double? = nil) {
    self.name = name
    self.isCritical = isCritical
    self.volume = volume.map { $0.isNaN ? 1 : min(max($0, 0), 1) }
  }

  /// The device's own sound.
  public static let `default` = NotificationSound("default")
}
