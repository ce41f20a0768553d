internal import CLibuv
internal import SystemLibrary

/// An IPv4 or IPv6 address and port.
struct SocketAddress {
  private var storage: sockaddr_storage

  /// The addresses of a finished resolution, in the system's order of preference.
  static func all(in list: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
    var found: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe entry.pointee.ai_addr,
        unsafe entry.pointee.ai_addrlen <= MemoryLayout<sockaddr_storage>.size
      {
        var storage = sockaddr_storage()
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
          unsafe bytes.copyMemory(
            from: UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen)))
        }
        found.append(SocketAddress(storage: storage))
      }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }

  /// Resolves a name or literal address.
  ///
  /// Blocks, so only for start-up.
  static func resolve(host: String, port: UInt16, on loop: EventLoop) throws(UVError)
    -> [SocketAddress]
  {
    var request = unsafe uv_getaddrinfo_t()
    var hints = unsafe Self.hints
    unsafe hints.ai_flags |= AI_PASSIVE
    let status = unsafe uv_getaddrinfo(loop.raw, &request, nil, host, String(port), &hints)
    try UVError.check("getaddrinfo", status)
    defer { unsafe uv_freeaddrinfo(request.addrinfo) }
    return unsafe all(in: request.addrinfo)
  }

  /// The resolver's hints: stream sockets of either family, numeric ports.
  static var hints: addrinfo {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = streamSocket
    unsafe hints.ai_flags = AI_NUMERICSERV
    return unsafe hints
  }

  /// The address that `fill` (`getpeername`, `getsockname`) returns, or nil if it fails.
  init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32) {
    var storage = sockaddr_storage()
    var size = Int32(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe fill(address, &size)
      }
    }
    guard status == 0 else { return nil }
    self.storage = storage
  }

  private init(storage: sockaddr_storage) {
    self.storage = storage
  }

  /// Calls `body` with the address as the C functions take it.
  func withAddress<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    unsafe withUnsafePointer(to: storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
    }
  }

  /// The port, or zero if this is no internet address.
  var port: UInt16 {
    switch Int32(storage.ss_family) {
    case AF_INET:
      UInt16(bigEndian: unsafe rebound(to: sockaddr_in.self) { unsafe $0.pointee.sin_port })
    case AF_INET6:
      UInt16(bigEndian: unsafe rebound(to: sockaddr_in6.self) { unsafe $0.pointee.sin6_port })
    default: 0
    }
  }

  /// Such as `127.0.0.1:80` or `[::1]:80`.
  var text: String { host.map { endpointText(host: $0, port: port) } ?? "a local socket" }

  /// Such as `127.0.0.1` or `::1`; `nil` if this is no internet address.
  var host: String? {
    var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let status = unsafe withAddress { unsafe uv_ip_name($0, &name, name.count) }
    guard status == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func rebound<Address, Result>(
    to type: Address.Type, _ body: (UnsafePointer<Address>) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: storage) { storage in
      unsafe storage.withMemoryRebound(to: Address.self, capacity: 1) { unsafe body($0) }
    }
  }
}

/// Joins a host and a port; IPv6 addresses are put in brackets (RFC 3986, section 3.2.2).
func endpointText(host: String, port: UInt16) -> String {
  host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
}

/// Why an address could not be listened on or connected to, and what to do.
package struct EndpointError: Error, Equatable, CustomStringConvertible {
  /// What was attempted.
  package let attempt: Attempt
  /// The host and port, or the path, as given by the caller.
  package let endpoint: String
  /// Why it failed; for a name with several addresses, that of the last one tried.
  package let cause: StreamError

  /// What can be attempted.
  package enum Attempt: String, Sendable {
    /// To accept connections at the address.
    case listen = "listen on"
    /// To connect to the address.
    case connect = "connect to"
  }

  init(_ attempt: Attempt, _ endpoint: String, _ cause: StreamError) {
    self.attempt = attempt
    self.endpoint = endpoint
    self.cause = cause
  }

  init(_ attempt: Attempt, _ endpoint: String, _ cause: UVError) {
    self.init(attempt, endpoint, .system(cause))
  }

  /// One sentence, with advice if there is any.
  package var description: String {
    "cannot \(attempt.rawValue) \(endpoint): \(cause)" + (advice.map { "; \($0)" } ?? "")
  }

  private var advice: String? {
    switch cause.code {
    case .addressInUse: "stop the program that listens there, or choose another port"
    case .addressNotAvailable: "this machine has no such address: choose one of its own, or ::"
    case .unknownName: "check the spelling of the name"
    case .permissionDenied: "choose a port above 1023, or run with the permission for it"
    case .connectionRefused: "no server listens there: check the address, or start the server"
    case .noSuchFile: "there is no socket of that name: check the path, or start the program"
    case .nameTooLong: "a socket path may have at most 107 bytes: choose a shorter one"
    case .tooManyOpenFiles: "raise the limit of open files (ulimit -n)"
    default: nil
    }
  }
}
