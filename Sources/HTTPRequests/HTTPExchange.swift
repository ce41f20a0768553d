internal import CLibcurl
internal import EventLoops
internal import SystemLibrary
internal import Vocabulary

/// A request on its way, and what has come of its answer.
///
/// Confined to its client's loop.
@safe final class HTTPExchange {
  typealias ID = Int

  /// libcurl's handle.
  let easy: UnsafeMutableRawPointer
  /// Ends the exchange at its deadline.
  ///
  /// libcurl's own timeout does not cover the wait for a connection that others use.
  var timer: LoopTimer?
  private let url: String
  private let settings: HTTPClientSettings
  /// Memory for libcurl's description of an error.
  private let reason: UnsafeMutablePointer<CChar>
  private var fieldList: UnsafeMutablePointer<curl_slist>?
  private var resolutionList: UnsafeMutablePointer<curl_slist>?
  private var completion: ((Result<HTTPAnswer, HTTPTrouble>) -> Void)?
  private var body: [UInt8] = []
  private var hasOpened = false
  private var hasRefused = false
  private var lacksHTTP2 = false

  /// Prepares a request; `nil` if there is no memory.
  init?(
    _ request: OutgoingRequest, _ settings: HTTPClientSettings,
    _ completion: @escaping (Result<HTTPAnswer, HTTPTrouble>) -> Void
  ) {
    guard let easy = unsafe curl_easy_init() else { return nil }
    unsafe self.easy = easy
    unsafe fieldList = nil
    unsafe resolutionList = nil
    url = request.url
    self.settings = settings
    self.completion = completion
    unsafe reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    describe(request)
    restrict(request)
    listen()
  }

  deinit {
    // The handle refers to the lists and to the memory for the reason.
    unsafe curl_easy_cleanup(easy)
    unsafe curl_slist_free_all(fieldList)
    unsafe curl_slist_free_all(resolutionList)
    unsafe reason.deallocate()
  }

  /// Identifies an exchange by its handle.
  static func id(of easy: UnsafeMutableRawPointer) -> ID { Int(bitPattern: easy) }

  var id: ID { unsafe Self.id(of: easy) }

  /// Ends the timer and returns the completion; the client has removed the exchange from libcurl.
  func close() -> ((Result<HTTPAnswer, HTTPTrouble>) -> Void)? {
    timer?.close()
    timer = nil
    defer { completion = nil }
    return completion
  }

  // MARK: The request

  private func describe(_ request: OutgoingRequest) {
    set(CURLOPT_URL, request.url)
    // Keeps `/../` in a path, which push services may use like any other name.
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_POST, 1)
    _ = unsafe matinee_easy_set_body(easy, request.body, request.body.count)
    for (name, value) in request.fields {
      unsafe fieldList = curl_slist_append(fieldList, "\(name): \(value)")
    }
    _ = unsafe matinee_easy_set_list(easy, CURLOPT_HTTPHEADER, fieldList)
    if let resolution = request.resolution {
      unsafe resolutionList = curl_slist_append(nil, resolution)
      _ = unsafe matinee_easy_set_list(easy, CURLOPT_RESOLVE, resolutionList)
    }
  }

  private func restrict(_ request: OutgoingRequest) {
    set(CURLOPT_PROTOCOLS_STR, settings.allowsPlain ? "https,http" : "https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    // An empty text also ignores the environment's `https_proxy`.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    set(CURLOPT_NOSIGNAL, 1)
    // Otherwise, ending an exchange would block until the resolver's thread returns, which takes
    // more than ten seconds without a name server.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if let path = settings.authorities {
      set(CURLOPT_CAINFO, path)
      // Otherwise, the system's authorities would be trusted besides.
      set(CURLOPT_CAPATH, nil)
    }
    // Over TLS, a new request waits for a connection in the making, because it may turn out to
    // carry many requests. Without TLS there is no HTTP/2 to wait for.
    let isPlain = settings.allowsPlain && request.url.lowercased().hasPrefix("http:")
    set(CURLOPT_HTTP_VERSION, isPlain ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
    set(CURLOPT_PIPEWAIT, isPlain ? 0 : 1)
    // The exchange's timer covers connecting.
    set(CURLOPT_CONNECTTIMEOUT_MS, Int(settings.deadline.microseconds / 500))
    set(CURLOPT_MAXAGE_CONN, Int(settings.idle.microseconds / 1_000_000))
  }

  private func listen() {
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe matinee_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
    unsafe matinee_easy_on_socket(easy) { own, _, address in
      guard let address = unsafe address else { return -1 }
      return unsafe exchange(own)?.open(address) ?? -1
    }
    unsafe matinee_easy_set_pointer(easy, CURLOPT_OPENSOCKETDATA, own)
    unsafe matinee_easy_on_request(easy) { own, _, _, _, _ in
      unsafe exchange(own)?.mayBeSent() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    unsafe matinee_easy_set_pointer(easy, CURLOPT_PREREQDATA, own)
    unsafe matinee_easy_on_body(easy) { bytes, _, count, own in
      guard let bytes = unsafe bytes else { return 0 }
      let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
      return unsafe exchange(own)?.take(part) ?? 0
    }
    unsafe matinee_easy_set_pointer(easy, CURLOPT_WRITEDATA, own)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    let status = unsafe matinee_easy_set_number(easy, option, value)
    precondition(status == CURLE_OK, "an option and a value that libcurl 7.88 knows")
  }

  private func set(_ option: CURLoption, _ value: Int32) { set(option, Int(value)) }

  private func set(_ option: CURLoption, _ value: String?) {
    let status = unsafe matinee_easy_set_text(easy, option, value)
    precondition(status == CURLE_OK, "an option and a value that libcurl 7.88 knows")
  }

  // MARK: What libcurl asks and tells

  /// Opens a socket to an address, after its judgement.
  ///
  /// It is called for each connection, after the name was resolved.
  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
    guard let text = unsafe numericText(of: matinee_address(address)), settings.admits(text, url)
    else {
      hasRefused = true
      return -1
    }
    hasOpened = true
    let kind = unsafe (address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue))
    let descriptor = unsafe socket(address.pointee.family, kind, address.pointee.protocol)
    guard descriptor >= 0 else { return -1 }
    // Many requests share one connection. If a firewall on the way has forgotten it, all of them
    // would be lost until the system stops retransmitting, after a quarter of an hour.
    var limit = UInt32(clamping: settings.deadline.microseconds / 1_000)
    _ = unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit,
      socklen_t(MemoryLayout<UInt32>.size))
    return descriptor
  }

  /// Whether the request may be sent on its connection.
  private func mayBeSent() -> Bool {
    let hasAgreed = unsafe matinee_easy_agreed_http2(easy) != 0
    lacksHTTP2 = settings.needsHTTP2 && !hasAgreed
    return !lacksHTTP2
  }

  /// Keeps a part of the body; any other number than its size ends the exchange.
  private func take(_ part: UnsafeRawBufferPointer) -> Int {
    unsafe body += part.prefix(settings.longestBody - body.count)
    return body.count < settings.longestBody ? part.count : 0
  }

  // MARK: The result

  /// The result at the deadline.
  func resultAtDeadline() -> Result<HTTPAnswer, HTTPTrouble> {
    answer.map { .success($0) } ?? .failure(.timeout)
  }

  /// The result of a transfer that libcurl has ended.
  func result(of code: CURLcode) -> Result<HTTPAnswer, HTTPTrouble> {
    // The status decides alone; a body may break off.
    if let answer { return .success(answer) }
    if lacksHTTP2 { return .failure(.notHTTP2) }
    if hasRefused, !hasOpened { return .failure(.forbiddenAddress) }
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return .failure(.timeout)
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_PARTIAL_FILE:
      return .failure(.closed)
    default:
      let text = unsafe String(cString: reason)
      let usual = unsafe String(cString: curl_easy_strerror(code))
      return .failure(.failed(String((text.isEmpty ? usual : text).prefix(200))))
    }
  }

  /// The answer, once its status is there.
  private var answer: HTTPAnswer? {
    var status = 0
    _ = unsafe matinee_easy_get_number(easy, CURLINFO_RESPONSE_CODE, &status)
    // Below 200, the final status is yet to come.
    return status < 200 ? nil : HTTPAnswer(status: status, fields: fields, body: body)
  }

  private var fields: [String: String] {
    var fields: [String: String] = [:]
    var last: UnsafeMutablePointer<curl_header>?
    while let header = unsafe curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, last) {
      unsafe last = header
      let name = unsafe String(cString: header.pointee.name).lowercased()
      let value = unsafe String(cString: header.pointee.value)
      fields[name] = fields[name] ?? value
    }
    return fields
  }
}

@available(*, unavailable)
extension HTTPExchange: Sendable {}

/// The exchange that libcurl passes to a callback.
private func exchange(_ own: UnsafeMutableRawPointer?) -> HTTPExchange? {
  guard let own = unsafe own else { return nil }
  return unsafe Unmanaged<HTTPExchange>.fromOpaque(own).takeUnretainedValue()
}

/// An internet address in digits, such as `192.0.2.1` or `2001:db8::1`; `nil` for other addresses.
private func numericText(of address: UnsafePointer<sockaddr>?) -> String? {
  guard let address = unsafe address else { return nil }
  var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
  let found =
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        var bytes = unsafe $0.pointee.sin_addr
        return unsafe inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count)) != nil
      }
    case AF_INET6:
      unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        var bytes = unsafe $0.pointee.sin6_addr
        return unsafe inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil
      }
    default: false
    }
  guard found else { return nil }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
