/// What an answer says first (RFC 9110, section 15); only those that the server gives.
package enum HTTPStatus: Int, Equatable, Sendable {
  case switchingProtocols = 101
  case ok = 200
  case partialContent = 206
  case notModified = 304
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case lengthRequired = 411
  case contentTooLarge = 413
  case targetTooLong = 414
  case rangeNotSatisfiable = 416
  case expectationFailed = 417
  case misdirectedRequest = 421
  case upgradeRequired = 426
  case tooManyRequests = 429
  case fieldsTooLarge = 431
  case internalError = 500
  case notImplemented = 501
  case unavailable = 503
  case versionNotSupported = 505

  /// The words behind the number, as the RFC has them.
  package var phrase: String {
    switch self {
    case .switchingProtocols: "Switching Protocols"
    case .ok: "OK"
    case .partialContent: "Partial Content"
    case .notModified: "Not Modified"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .lengthRequired: "Length Required"
    case .contentTooLarge: "Content Too Large"
    case .targetTooLong: "URI Too Long"
    case .rangeNotSatisfiable: "Range Not Satisfiable"
    case .expectationFailed: "Expectation Failed"
    case .misdirectedRequest: "Misdirected Request"
    case .upgradeRequired: "Upgrade Required"
    case .tooManyRequests: "Too Many Requests"
    case .fieldsTooLarge: "Request Header Fields Too Large"
    case .internalError: "Internal Server Error"
    case .notImplemented: "Not Implemented"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }

  /// Whether an answer with this status never has a body, and here says no length (RFC 9110, 8.6).
  ///
  /// 304 might say the length of what the client has; nobody needs it.
  var isBodiless: Bool {
    switch self {
    case .switchingProtocols, .notModified: true
    default: false
    }
  }
}
