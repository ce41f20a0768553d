public import Vocabulary

/// Which fields a message has, and which transports it goes over; the defaults are Kii's.
public struct PushOptions: Hashable, Sendable {
  /// Whether it names the app: `a`.
  public var sendsAppID = false
  /// Whether it names its sender: `s`.
  public var sendsSender = true
  /// Whether it says when it was sent: `w`.
  public var sendsWhen = false
  /// Whether it says what caused it: `o`.
  public var sendsOrigin = false
  /// Whether it names the scope of its subject: `st`, `sa`, `su`, `sg`, `sth`.
  public var sendsObjectScope = true
  /// Whether it names its topic: `to`.
  public var sendsTopicID = true
  /// Whether installations under development get it.
  public var sendsToDevelopment = true
  /// Whether installations of the released app get it.
  public var sendsToProduction = true
  /// How it differs on some transports; on the others it goes as it is.
  public var transports: [TransportKind: Transport] = [:]

  /// The default options.
  public init() {}

  /// How a message differs on one transport.
  public struct Transport: Hashable, Sendable {
    /// Whether it goes over this transport.
    public var isEnabled: Bool
    /// The sender's own fields on this transport only; they override those of all transports.
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

  /// The payload on one transport.
  public func payload(
    _ payload: NotificationPayload, over transport: TransportKind
  ) -> NotificationPayload {
    var payload = payload
    for (name, value) in transports[transport]?.data ?? [:] where name != "aps" {
      payload.custom[name] = value
    }
    return payload
  }

  /// Checks that a payload can be sent over every transport.
  package func check(_ payload: NotificationPayload, limit: Int) throws(PayloadFault) {
    for transport in TransportKind.allCases {
      try self.payload(payload, over: transport).check(limit: limit)
    }
  }
}

/// A transport of notifications to a device.
public enum TransportKind: String, Hashable, Sendable, CaseIterable {
  /// The device's own connection to the server.
  case connection
  /// A browser's push service (RFC 8030).
  case webPush
  /// Apple's push service.
  case apns
}
