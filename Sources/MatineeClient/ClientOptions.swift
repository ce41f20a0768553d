public import Vocabulary

/// Who a client is.
public struct Identity: Hashable, Sendable {
  /// The person, over all their devices.
  public var user: UserID
  /// This installation; it has one connection at a time.
  public var device: DeviceID
  /// What others see.
  public var name: String

  /// A person at a device.
  public init(user: UserID, device: DeviceID, name: String) {
    self.user = user
    self.device = device
    self.name = name
  }
}

/// How a client behaves.
public struct ClientOptions: Sendable {
  /// What plays.
  public enum Playing: Sendable {
    /// Nothing: the client takes part without a picture.
    case nothing
    /// A player that only keeps the time, for trying things out.
    case simulated
    /// The app's own player.
    case app(any PlaybackControl)
  }

  /// What plays; nothing by default.
  public var playing = Playing.nothing
  /// How much later than the player says its sound comes out, on a soundbar or over Bluetooth.
  public var playerOffset = Duration.zero
  /// Whether the player stands still while the connection is away.
  public var pausesWhileReconnecting = false
  /// Whether the player stops when a session is over for this device.
  public var pausesAfterSession = true
  /// How long ``GroupWatchClient/connect(to:as:options:)`` tries before it gives up.
  public var connectTimeout = Duration.seconds(10)
  /// How long a join may take.
  public var joinTimeout = Duration.seconds(10)

  /// The options of a client that plays nothing.
  public init() {}
}

/// How a client stands to its server.
public enum ConnectionState: Hashable, Sendable {
  /// Not welcomed yet; the text says what went wrong with the last attempt, if one did.
  case connecting(String?)
  /// The server knows this device.
  case online
  /// It was online, and tries to be again; the text says what went wrong.
  case reconnecting(String)
  /// It will not try again; the text says why.
  case offline(String)
}
