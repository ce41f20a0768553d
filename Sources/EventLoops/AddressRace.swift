internal import CLibuv
internal import Vocabulary

/// Connects to the first of several addresses that answers (RFC 8305).
///
/// Confined to its loop's thread. A machine that is down does not answer at all, and so must not hold
/// up the others: each address has a head start on the next one, and an error starts the next one at
/// once. `completion` is called once, possibly before the initializer returns, but not after
/// ``cancel()`` or when the loop closes.
final class AddressRace {
  private let loop: EventLoop
  private var addresses: ArraySlice<SocketAddress>
  private var running: [ByteStream] = []
  private var failure: UVError
  private var timer: LoopTimer?
  private var completion: ((Result<ByteStream, UVError>) -> Void)?

  /// RFC 8305, section 5.
  private static let headStart = Duration.milliseconds(250)

  /// Starts with the first address.
  ///
  /// - Parameters:
  ///   - addresses: the addresses, the best first.
  ///   - silent: the text of an address where a program accepted, and then said nothing: it goes last.
  ///   - failure: the error if there are none.
  ///   - completion: receives a connected stream, or the last error.
  init(
    to addresses: [SocketAddress], avoiding silent: String? = nil, on loop: EventLoop,
    orElse failure: UVError,
    completion: @escaping (Result<ByteStream, UVError>) -> Void
  ) {
    self.loop = loop
    let last = addresses.filter { $0.text == silent }
    self.addresses = (addresses.filter { $0.text != silent } + last)[...]
    self.failure = failure
    self.completion = completion
    timer = LoopTimer(on: loop) { [weak self] in self?.startNext() }
    startNext()
  }

  /// Ends the race; a second call does nothing.
  func cancel() {
    completion = nil
    timer?.close()
    timer = nil
    for stream in running { stream.close() }
    running = []
  }

  private func startNext() {
    guard let address = addresses.popFirst() else {
      if running.isEmpty { finish(.failure(failure)) }
      return
    }
    do throws(UVError) {
      let stream = try ByteStream(.tcp, on: loop)
      running.append(stream)
      timer?.fire(at: addresses.isEmpty ? nil : loop.now + Self.headStart)
      connect(stream, to: address)
    } catch {
      failure = error
      startNext()
    }
  }

  private func connect(_ stream: ByteStream, to address: SocketAddress) {
    let request = unsafe makeRequest(uv_connect_t(), of: Runner(self, stream))
    let status = unsafe address.withAddress {
      unsafe uv_tcp_connect(request, stream.tcp, $0) { request, status in
        unsafe takeOwner(of: request, as: Runner.self)?.end(status)
      }
    }
    if status < 0 { unsafe takeOwner(of: request, as: Runner.self)?.end(status) }
  }

  fileprivate func didConnect(_ stream: ByteStream, _ status: Int32) {
    // Who comes after the first was closed.
    guard let place = running.firstIndex(where: { $0 === stream }) else { return }
    running.remove(at: place)
    guard completion != nil, !loop.isClosing else { return completion = nil }
    guard status < 0 else { return finish(.success(stream)) }
    stream.close()
    failure = UVError("connect", .init(status))
    startNext()
  }

  private func finish(_ result: Result<ByteStream, UVError>) {
    let completion = completion
    cancel()
    completion?(result)
  }
}

@available(*, unavailable)
extension AddressRace: Sendable {}

/// One connection of a race; its request keeps both alive until its callback.
private final class Runner {
  private let race: AddressRace
  private let stream: ByteStream

  init(_ race: AddressRace, _ stream: ByteStream) {
    self.race = race
    self.stream = stream
  }

  func end(_ status: Int32) { race.didConnect(stream, status) }
}
