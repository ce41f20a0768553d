import Crypto
import Vocabulary
import WebAddresses

/// Makes the requests of Web Push: RFC 8030, with the bodies of RFC 8291 and the tokens of RFC 8292.
struct WebPushRequests: Sendable {
  /// The longest that push services keep a message: four weeks, as the great ones have it.
  static let longestTimeToLive = Duration.seconds(28 * 24 * 3_600)
  /// Letters of a topic (RFC 8030, 5.4).
  static let longestTopic = 32

  private let endpoints: PushEndpointGuard

  init(_ endpoints: PushEndpointGuard) {
    self.endpoints = endpoints
  }

  /// The request for a message.
  ///
  /// - Parameter authorization: the field of that name for an origin, asked for only if there will
  ///   be a request.
  func request(
    for message: PushMessage, to subscription: WebPushSubscription, at now: Instant,
    authorization: (_ origin: String) throws -> String
  ) throws(PushRefusal) -> PushRequest {
    if let fault = endpoints.fault(of: subscription.endpoint) { throw .endpoint(fault) }
    guard message.payload.count <= MessageEncryption.longestMessage else {
      throw .tooLarge(limit: MessageEncryption.longestMessage)
    }
    let timeToLive = message.expires.map { min($0 - now, Self.longestTimeToLive) } ?? .zero
    guard timeToLive >= .zero else { throw .expired }
    guard let origin = WebAddress(subscription.endpoint)?.origin else {
      throw .endpoint(.malformed)
    }
    do {
      var fields = [
        (name: "ttl", value: "\(timeToLive.components.seconds)"),
        (name: "urgency", value: message.urgency.rawValue),
        (name: "content-encoding", value: "aes128gcm"),
        (name: "content-type", value: "application/octet-stream"),
        (name: "authorization", value: try authorization(origin)),
      ]
      if let topic = message.collapseID.map(Self.topic) {
        fields.append((name: "topic", value: topic))
      }
      return PushRequest(
        url: subscription.endpoint, fields: fields,
        body: try MessageEncryption().sealed(message.payload, for: subscription))
    } catch {
      throw .cryptography("\(error)")
    }
  }

  /// A collapse id as a topic: itself if it may stand there, or else letters that follow from it.
  private static func topic(_ collapseID: String) -> String {
    CollapseName.name(collapseID, limit: longestTopic) { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// What an answer means.
  static func verdict(on answer: PushAnswer, at now: Instant) -> PushVerdict {
    switch answer.status {
    case 404, 410: .forget(since: nil)
    default:
      PushVerdict(
        status: answer.status, reason: nil,
        asked: RetryAfter.duration(of: answer.retryAfter, at: now))
    }
  }
}
