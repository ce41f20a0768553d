internal import CLibcurl
package import EventLoops
internal import Vocabulary

/// Sends requests by libcurl over kept connections, HTTP/2 where servers speak it.
///
/// Confined to its loop's thread. libcurl does the protocols and says which sockets to watch and
/// when to wake it; the loop does both (curl's multi interface with `curl_multi_socket_action`).
/// Names are resolved on threads of libcurl's. Redirects are not followed, and proxies named by the
/// environment are not used. Call ``stop()`` before releasing it.
@safe package final class HTTPClient {
  private let loop: EventLoop
  private let settings: HTTPClientSettings
  /// libcurl's connections and transfers; nil while there are none, and once stopped.
  private var multi: UnsafeMutableRawPointer?
  /// The pending exchanges, by libcurl's handle.
  private var exchanges: [HTTPExchange.ID: HTTPExchange] = [:]
  /// The watched sockets, by descriptor.
  private var polls: [Int32: DescriptorPoll] = [:]
  private var timer: LoopTimer?
  private var idleTimer: LoopTimer?
  private var isStopped = false

  /// Makes a client without connections.
  package init(_ settings: HTTPClientSettings, on loop: EventLoop) {
    loop.preconditionOnLoop()
    unsafe multi = nil
    self.settings = settings
    self.loop = loop
    timer = LoopTimer(on: loop) { [unowned self] in expire() }
    idleTimer = LoopTimer(on: loop) { [unowned self] in closeConnections() }
  }

  /// Starts a request.
  ///
  /// - Parameter completion: receives the answer once; never during this call, unless the client is
  ///   stopped or has no memory.
  package func start(
    _ request: OutgoingRequest, _ completion: @escaping (Result<HTTPAnswer, HTTPTrouble>) -> Void
  ) {
    loop.preconditionOnLoop()
    guard !isStopped else { return completion(.failure(.stopped)) }
    guard let multi = unsafe openMulti(), let exchange = HTTPExchange(request, settings, completion)
    else { return completion(.failure(.failed("out of memory"))) }
    idleTimer?.fire(at: nil)
    exchanges[exchange.id] = exchange
    exchange.timer = LoopTimer(on: loop) { [unowned self, unowned exchange] in
      end(exchange, with: exchange.resultAtDeadline())
    }
    exchange.timer?.fire(at: loop.now + settings.deadline)
    let status = unsafe curl_multi_add_handle(multi, exchange.easy)
    if status != CURLM_OK {
      end(exchange, with: .failure(.failed("libcurl refuses the request (\(status.rawValue))")))
    }
  }

  /// Ends all exchanges and closes all connections; a second call does nothing.
  package func stop() {
    loop.preconditionOnLoop()
    guard !isStopped else { return }
    isStopped = true
    for exchange in Array(exchanges.values) { end(exchange, with: .failure(.stopped)) }
    closeConnections()
    timer?.close()
    idleTimer?.close()
    timer = nil
    idleTimer = nil
  }

  /// Takes an exchange from libcurl and reports its result; does nothing if it has ended.
  private func end(_ exchange: HTTPExchange, with result: Result<HTTPAnswer, HTTPTrouble>) {
    guard exchanges.removeValue(forKey: exchange.id) != nil else { return }
    if let multi = unsafe multi { unsafe curl_multi_remove_handle(multi, exchange.easy) }
    if exchanges.isEmpty { idleTimer?.fire(at: loop.now + settings.idle) }
    exchange.close()?(result)
  }

  private func openMulti() -> UnsafeMutableRawPointer? {
    if let multi = unsafe multi { return unsafe multi }
    guard isLibraryReady, let multi = unsafe curl_multi_init() else { return nil }
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe matinee_multi_on_socket(multi) { _, socket, what, own, _ in
      unsafe client(own)?.watch(socket, what)
      return 0
    }
    unsafe matinee_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, own)
    unsafe matinee_multi_on_timer(multi) { _, milliseconds, own in
      unsafe client(own)?.wake(in: milliseconds)
      return 0
    }
    unsafe matinee_multi_set_pointer(multi, CURLMOPT_TIMERDATA, own)
    unsafe matinee_multi_set_number(multi, CURLMOPT_MAXCONNECTS, settings.connections)
    unsafe self.multi = multi
    return unsafe multi
  }

  /// Closes all connections; libcurl has no other way to close idle ones.
  private func closeConnections() {
    guard exchanges.isEmpty, let multi = unsafe multi else { return }
    unsafe curl_multi_cleanup(multi)
    unsafe self.multi = nil
    for poll in polls.values { poll.close() }
    polls = [:]
    timer?.fire(at: nil)
  }

  /// Watches a socket as libcurl asks.
  private func watch(_ socket: Int32, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      polls.removeValue(forKey: socket)?.close()
      return
    }
    do throws(UVError) {
      let poll = try poll(of: socket)
      var events: DescriptorPoll.Events = []
      if what & CURL_POLL_IN != 0 { events.insert(.readable) }
      if what & CURL_POLL_OUT != 0 { events.insert(.writable) }
      poll.watch(events)
    } catch {
      // The system has no memory for it; the exchange ends at its deadline.
    }
  }

  private func poll(of socket: Int32) throws(UVError) -> DescriptorPoll {
    if let known = polls[socket] { return known }
    let poll = try DescriptorPoll(socket, on: loop) { [unowned self] events in
      ready(socket, events)
    }
    polls[socket] = poll
    return poll
  }

  private func wake(in milliseconds: Int) {
    timer?.fire(at: milliseconds < 0 ? nil : loop.now + .milliseconds(milliseconds))
  }

  private func expire() {
    guard let multi = unsafe multi else { return }
    unsafe matinee_multi_timeout(multi)
    endFinished()
  }

  private func ready(_ socket: Int32, _ events: DescriptorPoll.Events) {
    guard let multi = unsafe multi else { return }
    var flags: Int32 = 0
    if events.contains(.readable) { flags |= CURL_CSELECT_IN }
    if events.contains(.writable) { flags |= CURL_CSELECT_OUT }
    if events.contains(.failed) { flags |= CURL_CSELECT_ERR }
    unsafe matinee_multi_ready(multi, socket, flags)
    endFinished()
  }

  /// Ends the exchanges that libcurl has finished.
  private func endFinished() {
    var result = CURLE_OK
    // A completion may stop this client.
    while let multi = unsafe multi, let easy = unsafe matinee_multi_next_ended(multi, &result) {
      guard let exchange = unsafe exchanges[HTTPExchange.id(of: easy)] else { continue }
      end(exchange, with: exchange.result(of: result))
    }
  }
}

@available(*, unavailable)
extension HTTPClient: Sendable {}

/// Prepares libcurl, once in a process.
private let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

/// The client that libcurl passes to a callback.
private func client(_ own: UnsafeMutableRawPointer?) -> HTTPClient? {
  guard let own = unsafe own else { return nil }
  return unsafe Unmanaged<HTTPClient>.fromOpaque(own).takeUnretainedValue()
}
