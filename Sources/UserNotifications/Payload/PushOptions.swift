/// Which fields a message has, and over which ways it goes; the defaults are Kii's.
public struct PushOptions: Hashable, Sendable {
  /// Whether it names the app: `a`.
  public var sendsAppID = false
  /// Whether it names its sender: `s`.
  public var sendsSender = true
  /// Whether it says when it was sent: `w`.
  public var sendsWhen = false
  /// Whether it says what caused it: `o`.
  public var sendsOrigin = false
  /// Whether it says whose what it is about is: `st`, `sa`, `su`, `sg`, `sth`.
  public var sendsObjectScope = true
  /// Whether it names its topic: `to`.
  public var sendsTopicID = true
  /// Whether installations under development get it.
  public var sendsToDevelopment = true
  /// Whether installations of those who use the app get it.
  public var sendsToProduction = true
  /// What is otherwise over some of the ways; over those that are not named it goes as it is.
  public var transports: [TransportKind: Transport] = [:]

  /// The usual options.
  public init() {}

  /// What is otherwise over one way.
  public struct Transport: Hashable, Sendable {
    /// Whether it goes this way at all.
    public var isEnabled: Bool
    /// Fields of the sender's own on this way only; they go before those of all ways.
    public var data: [String: PayloadValue]

    /// What is otherwise.
    public init(isEnabled: Bool = true, data: [String: PayloadValue] = [:]) {
      self.isEnabled = isEnabled
      self.data = data
    }
  }

  /// Whether an installation gets the message.
  public func reaches(_ transport: TransportKind, isDevelopment: Bool) -> Bool {
    (isDevelopment ? sendsToDevelopment : sendsToProduction)
      && transports[transport]?.isEnabled ?? true
  }

  /// The payload as it goes over one way.
  public func payload(
    _ payload: NotificationPayload, over transport: TransportKind
  ) -> NotificationPayload {
    var payload = payload
    for (name, value) in transports[transport]?.data ?? [:] where name != "aps" {
      payload.custom[name] = value
    }
    return payload
  }

  /// Makes sure that a payload can travel whichever way it goes.
  package func check(_ payload: NotificationPayload, limit: Int) throws(PayloadFault) {
    for transport in TransportKind.allCases {
      try self.payload(payload, over: transport).check(limit: limit)
    }
  }
}

/// A way for notifications to get to a device.
public enum TransportKind: String, Hashable, Sendable, CaseIterable {
  /// The device's own connection to the server.
  case connection
  /// A browser's push service (RFC 8030).
  case webPush
  /// Apple's push service.
  case apns
}
