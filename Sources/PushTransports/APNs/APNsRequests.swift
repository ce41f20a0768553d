import Cryptography
import JSON
import Vocabulary

/// Builds requests to APNs's provider API and interprets its answers.
struct APNsRequests: Sendable {
  /// The longest collapse id in bytes.
  static let longestCollapseID = 64

  private let production: String
  private let sandbox: String

  init(_ configuration: APNsConfiguration) {
    production = configuration.production
    sandbox = configuration.sandbox
  }

  /// The server that delivers to a device.
  func service(for device: APNsDevice) -> String { device.isSandbox ? sandbox : production }

  /// Builds the request for a message.
  func request(
    for message: PushMessage, to device: APNsDevice, token: String, at now: PushTime
  ) throws(PushRefusal) -> PushRequest {
    guard message.payload.count <= Limits.payloadBytes else {
      throw .tooLarge(limit: Limits.payloadBytes)
    }
    var fields = [
      (name: "authorization", value: "bearer \(token)"),
      (name: "apns-topic", value: device.topic),
      (name: "apns-push-type", value: message.isSilent ? "background" : "alert"),
      (name: "apns-priority", value: Self.priority(of: message)),
      // By the time of day; 0 asks for one attempt without storing.
      (name: "apns-expiration", value: "\(message.expires.map { now.wall(at: $0).seconds } ?? 0)"),
      (name: "apns-id", value: Self.uuid(of: message.id)),
      (name: "content-type", value: "application/json"),
    ]
    if let id = message.collapseID {
      let name = CollapseName.name(id, limit: Self.longestCollapseID) { (0x21...0x7E).contains($0) }
      fields.append((name: "apns-collapse-id", value: name))
    }
    return PushRequest(
      url: "\(service(for: device))/3/device/\(device.token)", fields: fields,
      body: message.payload)
  }

  /// 10 delivers immediately, 5 considers the battery, 1 waits for idle times.
  ///
  /// Apple forbids 10 for background pushes.
  private static func priority(of message: PushMessage) -> String {
    switch message.urgency {
    case .high: message.isSilent ? "5" : "10"
    case .normal: "5"
    case .low, .veryLow: "1"
    }
  }

  /// The push's id as a UUID, which Apple requires (RFC 9562, version 8); the same in each attempt.
  private static func uuid(of id: PushID) -> String {
    var bytes = Array(Digest.sha256(of: Array(id.text.utf8)).bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef")
    var text = ""
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text.append("-") }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }

  /// Interprets an answer that arrives at a time of day.
  static func verdict(on answer: PushAnswer, at now: Instant) -> PushVerdict {
    let (reason, since) = reason(in: answer.body)
    return switch (answer.status, reason) {
    case (410, _): .forget(since: since)
    case (403, "ExpiredProviderToken"): .staleToken(status: 403, reason: reason)
    default:
      PushVerdict(
        status: answer.status, reason: reason,
        asked: RetryAfter.duration(of: answer.retryAfter, at: now))
    }
  }

  /// The reason in a body, and the time since which a device is gone.
  ///
  /// An unreadable body gives neither; the status decides alone.
  private static func reason(in body: [UInt8]) -> (reason: String?, since: Instant?) {
    var parser = JSONParser(maximumBytes: max(body.count, 1))
    do throws(DecodingFlaw) {
      return try parser.parse(body.span) { object throws(DecodingFlaw) in
        let reason = try object.optionalString("reason", maximum: 64)
        let since = try object.optionalInt64("timestamp", in: 0...9_000_000_000_000)
        return (
          reason.flatMap { $0.allSatisfy { $0.isASCII && $0.isLetter } ? $0 : nil },
          since.map { Instant(microseconds: $0 * 1_000) }
        )
      }
    } catch {
      return (nil, nil)
    }
  }
}

/// One app on one Apple device, as APNs identifies it.
package struct APNsDevice: Hashable, Sendable {
  /// The device token from APNs, in lower-case hexadecimal digits.
  package let token: String
  /// The app's bundle id, with a suffix for some kinds of push.
  package let topic: String
  /// Whether the app is a development build; APNs serves those devices separately.
  package let isSandbox: Bool

  /// The longest token in bytes.
  ///
  /// Apple guarantees no length; current tokens have 32.
  private static let longestToken = 100
  /// Apple's limit for a bundle id.
  private static let longestTopic = 255

  /// Validates both texts, because they become part of the request's head.
  package init(token: String, topic: String, isSandbox: Bool = false) throws(APNsDeviceFlaw) {
    let digits = token.utf8
    guard !digits.isEmpty, digits.count <= 2 * Self.longestToken, digits.count.isMultiple(of: 2),
      token.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { throw .token }
    let isName = topic.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, !topic.isEmpty, topic.utf8.count <= Self.longestTopic else { throw .topic }
    self.token = token.lowercased()
    self.topic = topic
    self.isSandbox = isSandbox
  }
}

/// What is wrong with a device's token or topic.
package enum APNsDeviceFlaw: String, Error, Equatable, Sendable {
  /// The token is not an even number of hexadecimal digits, 2 to 200.
  case token
  /// The topic is not a bundle id: 1 to 255 letters, digits, hyphens and full stops.
  case topic
}
