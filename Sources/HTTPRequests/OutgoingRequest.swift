/// A request that posts a body.
package struct OutgoingRequest: Sendable {
  /// An absolute `https` or `http` URL.
  package var url: String
  /// The header fields, in the order of sending; without line breaks.
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]
  /// The host of ``url`` at this port has these addresses, in place of what the system's resolver
  /// says; such as `push.example.org:443:192.0.2.1`.
  package var resolution: String?

  package init(
    url: String, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
    resolution: String? = nil
  ) {
    self.url = url
    self.fields = fields
    self.body = body
    self.resolution = resolution
  }
}

/// The answer to a request.
package struct HTTPAnswer: Equatable, Sendable {
  package var status: Int
  /// The header fields, with names in lower case; the first of several with one name.
  package var fields: [String: String]
  /// The beginning of the body; it may have broken off.
  package var body: [UInt8]
}

/// Why a request has no answer.
package enum HTTPTrouble: Error, Equatable, Sendable {
  /// No answer came in time.
  case timeout
  /// The connection ended before the answer; the request may have been processed.
  case closed
  /// All addresses of the host are forbidden; nothing was connected to.
  case forbiddenAddress
  /// The server does not speak HTTP/2, which the settings ask for; nothing was sent.
  case notHTTP2
  /// No connection could be made, or the request is malformed; the text is libcurl's reason.
  case failed(String)
  /// The client was stopped.
  case stopped
}

/// The settings of an ``HTTPClient``.
package struct HTTPClientSettings: Sendable {
  /// The longest duration of a request, from its start to the end of its answer.
  package var deadline = Duration.seconds(10)
  /// How long an idle connection is kept: a new one waits for a TLS handshake, and Apple asks its
  /// clients to keep theirs.
  package var idle = Duration.seconds(600)
  /// How many connections are kept over all hosts; more are open only while requests need them.
  package var connections = 64
  /// How much of an answer's body is read, in bytes.
  package var longestBody = 4_096
  /// A PEM file with the trusted authorities in place of the system's.
  package var authorities: String?
  /// Whether `http` is allowed besides `https`.
  package var allowsPlain = false
  /// Whether servers without HTTP/2 get nothing.
  package var needsHTTP2 = false
  /// Whether a connection to this address may be made for a request to this URL; asked after the
  /// URL's host has been resolved, for each connection.
  package var admits: @Sendable (_ address: String, _ url: String) -> Bool = { _, _ in true }

  package init() {}
}
