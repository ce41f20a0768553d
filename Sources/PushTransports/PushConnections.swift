import Cryptography
import EventLoops
import HTTPRequests
import WebAddresses

/// The connections of one transport; confined to the loop of pushes.
///
/// Call ``stop()`` before releasing it.
final class PushConnections {
  private let client: HTTPClient
  private let addresses: [String: String]

  /// Makes a pool without connections.
  ///
  /// - Parameters:
  ///   - needsHTTP2: whether older versions of HTTP are rejected.
  ///   - allowsPlain: whether `http` is allowed.
  ///   - admits: whether a connection to this address may be made for a request to this URL.
  init(
    _ settings: PushConnectionSettings, on loop: EventLoop, needsHTTP2: Bool = false,
    allowsPlain: Bool = false,
    admits: @escaping @Sendable (_ address: String, _ url: String) -> Bool
  ) {
    var own = HTTPClientSettings()
    own.deadline = settings.deadline
    own.authorities = settings.authorities
    own.allowsPlain = allowsPlain
    own.needsHTTP2 = needsHTTP2
    own.admits = admits
    client = HTTPClient(own, on: loop)
    addresses = settings.addresses
  }

  /// Posts a request and reports the answer, at the deadline at the latest.
  func post(
    _ request: PushRequest, _ completion: @escaping (Result<PushAnswer, PushTrouble>) -> Void
  ) {
    let message = OutgoingRequest(
      url: request.url, fields: request.fields, body: request.body,
      resolution: resolution(of: request.url))
    client.start(message) { result in
      completion(
        result.map {
          PushAnswer(status: $0.status, retryAfter: $0.fields["retry-after"], body: $0.body)
        }.mapError(PushTrouble.init))
    }
  }

  private func resolution(of url: String) -> String? {
    guard !addresses.isEmpty, let address = WebAddress(url), let place = addresses[address.host]
    else { return nil }
    return "\(address.host):\(address.port ?? 443):\(place)"
  }

  /// Ends all requests, which report trouble, and all connections.
  ///
  /// A second call does nothing.
  func stop() { client.stop() }
}

extension PushTrouble {
  fileprivate init(_ trouble: HTTPTrouble) {
    self =
      switch trouble {
      case .timeout: .timeout
      case .closed: .closed
      case .forbiddenAddress: .unreachable("the address is not allowed")
      case .notHTTP2: .unreachable("the server does not speak HTTP/2")
      case .failed(let reason): .unreachable(reason)
      case .stopped: .unreachable("the server is stopping")
      }
  }
}

/// Settings of a transport's connections.
package struct PushConnectionSettings: Equatable, Sendable {
  /// The longest duration of an attempt, including connecting.
  ///
  /// Push services answer in less than a second; ten seconds cover a bad mobile connection to
  /// another continent.
  package var deadline = Duration.seconds(10)
  /// A PEM file with the trusted authorities, for a private push service; `nil` means those of the
  /// system.
  package var authorities: String?
  /// Addresses of host names, used in place of the system's resolver.
  package var addresses: [String: String] = [:]

  package init() {}

  /// Checks the file with the trusted authorities.
  func check() throws(PushConfigurationError) {
    guard let path = authorities else { return }
    guard CertificateFile.count(in: path) > 0 else { throw .certificates(path: path) }
  }
}
