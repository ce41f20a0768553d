package import EventLoops
package import Vocabulary

/// Measures the position of an mpv from outside, over a separate connection to its IPC socket.
///
/// Confined to its loop's thread. It regularly asks for the position of the sound; without sound,
/// it takes each new frame as a reading. It does not involve the ``MpvPlayer`` of that mpv.
package final class PlayheadProbe: MpvConnectionDelegate {
  private let loop: EventLoop
  private static let interval = Duration.milliseconds(50)
  private var onReading: ((PlayheadReading) -> Void)?
  private var onEnd: ((EndpointError?) -> Void)?
  private var timer: LoopTimer?
  private var search: PatientConnect?
  private var connection: MpvConnection?
  private var asked: (id: Int64, at: HostTime)?
  /// The sound's reading while the frame's answer is pending.
  private var sound: (position: MediaTime, at: HostTime, roundTrip: Duration)?
  /// The frame at the previous question.
  private var lastFrame: MediaTime?
  private var lastID: Int64 = 0
  private var watchesFrames = false
  private var frameDelay = FrameDelay()
  private var frameRateID: Int64?

  /// Starts connecting, then measuring.
  ///
  /// - Parameters:
  ///   - socketPath: mpv's `--input-ipc-server`; it may appear within `patience`.
  ///   - patience: how long to try to connect; mpv needs 200 ms, on a busy machine many
  ///     seconds.
  ///   - loop: the loop of the connection.
  ///   - onReading: receives each reading.
  ///   - onEnd: called once if connecting fails, with the error, or when the connection ends, with
  ///     nil; not after ``close()``.
  package init(
    socketPath: String, patience: Duration = .seconds(120), on loop: EventLoop,
    onReading: @escaping (PlayheadReading) -> Void,
    onEnd: @escaping (EndpointError?) -> Void = { _ in }
  ) {
    self.loop = loop
    self.onReading = onReading
    self.onEnd = onEnd
    // The timer's closure keeps this object alive until it is closed, as libuv does with a stream.
    timer = LoopTimer(on: loop) { self.meetDeadline() }
    search = PatientConnect(to: .socket(path: socketPath), within: patience, on: loop) {
      [unowned self] in take($0)
    }
  }

  /// Stops measuring; a second call does nothing.
  package func close() {
    (onReading, onEnd) = (nil, nil)
    timer?.close()
    timer = nil
    search?.cancel()
    search = nil
    connection?.close()
    connection = nil
  }

  private func meetDeadline() {
    guard let connection else { return }
    let now = loop.now
    timer?.fire(at: now + Self.interval)
    // Does not ask again before mpv has answered.
    guard asked == nil else { return }
    lastID += 2
    asked = (lastID, now)
    // mpv answers in this order.
    connection.send(.get(.soundPosition), id: lastID - 1)
    connection.send(.get(.framePosition), id: lastID)
  }

  private func take(_ result: Result<ByteStream, EndpointError>) {
    search = nil
    switch result {
    case .success(let stream):
      do throws(UVError) {
        connection = try MpvConnection(stream, delegate: self)
        meetDeadline()
      } catch {
        end(nil)
      }
    case .failure(let error): end(error)
    }
  }

  private func end(_ error: EndpointError?) {
    let onEnd = onEnd
    close()
    onEnd?(error)
  }

  func connection(_ connection: MpvConnection, didReceive message: MpvMessage) {
    let now = loop.now
    switch message {
    case .reply(let id, let reply): take(reply, to: id, at: now)
    case .changed(.framePosition, .number(let frame)):
      guard watchesFrames else { return }
      onReading?(
        PlayheadReading(
          position: frameDelay.position(at: .seconds(frame)), at: now, roundTrip: .zero,
          source: .frame, frame: .seconds(frame)))
    default: break
    }
  }

  private func take(_ reply: MpvReply, to id: Int64, at now: HostTime) {
    if id == frameRateID { return frameDelay.learn(framesPerSecond: reply.number) }
    guard let asked else { return }
    if id == asked.id - 1 {
      watchFrames(reply.number == nil)
      let roundTrip = now - asked.at
      sound = reply.number.map { (.seconds($0), asked.at + roundTrip * 0.5, roundTrip) }
    } else if id == asked.id {
      self.asked = nil
      let frame = reply.number.map { MediaTime.seconds($0) }
      tell(frame, asked: asked.at, at: now)
      lastFrame = frame
      sound = nil
    }
  }

  private func tell(_ frame: MediaTime?, asked: HostTime, at now: HostTime) {
    if let sound {
      onReading?(
        PlayheadReading(
          position: sound.position, at: sound.at, roundTrip: sound.roundTrip, source: .sound,
          frame: frame))
    } else if let frame, frame == lastFrame {
      onReading?(
        PlayheadReading(
          position: frame, at: asked + (now - asked) * 0.5, roundTrip: now - asked,
          source: .stillFrame, frame: frame))
    }
  }

  func connectionDidEnd(_ connection: MpvConnection) {
    end(nil)
  }

  private func watchFrames(_ watches: Bool) {
    guard watches != watchesFrames else { return }
    watchesFrames = watches
    if watches {
      lastID += 1
      frameRateID = lastID
      connection?.send(.get(.frameRate), id: lastID)
    }
    lastID += 1
    connection?.send(watches ? .observe(.framePosition) : .ignore(.framePosition), id: lastID)
  }
}

@available(*, unavailable)
extension PlayheadProbe: Sendable {}

/// A player's position measured from outside.
package struct PlayheadReading: Equatable, Sendable {
  /// The source of a position.
  package enum Source: Equatable, Sendable {
    /// The sound, which advances smoothly.
    case sound
    /// A new frame on the screen, at the time when mpv reported it.
    case frame
    /// A frame that was still on the screen at the next question: playback stands still, and the
    /// sound has not begun.
    case stillFrame
  }

  package let position: MediaTime
  /// When the position was valid: halfway between question and answer.
  package let at: HostTime
  /// The time from question to answer, zero for a new frame.
  ///
  /// ``at`` is known to half of it.
  package let roundTrip: Duration
  package let source: Source
  /// The start of the frame on the screen, if known.
  ///
  /// Two paused players show the same picture if it is equal.
  package let frame: MediaTime?

  package init(
    position: MediaTime, at: HostTime, roundTrip: Duration, source: Source, frame: MediaTime? = nil
  ) {
    self.position = position
    self.at = at
    self.roundTrip = roundTrip
    self.source = source
    self.frame = frame
  }
}

/// Converts mpv's `time-pos` of a running player into its position.
///
/// mpv reports a frame when it hands it to the screen, at the moment when the previous frame
/// appears. So it reports one frame early (measured: 40 ms at 25 frames a second, with and without
/// sound).
struct FrameDelay: Equatable, Sendable {
  /// The duration of a frame, if mpv knows it.
  var length: Duration?
  /// The last reported frame.
  private var last: MediaTime?

  /// A longer step is a gap or a jump, not a frame.
  private static let longestFrame = Duration.milliseconds(250)

  init() {}

  /// Sets the frame rate; `nil` if mpv does not know it.
  mutating func learn(framesPerSecond: Double?) {
    length = framesPerSecond.flatMap { $0 >= 1 ? .seconds(1 / $0) : nil }
  }

  /// Where mpv has to seek to, so that it shows the frame of a position: the one that began last, as
  /// browsers show it.
  ///
  /// mpv lands on the first frame that begins 5 ms before its target or later (0.35's source,
  /// `hrseek_pts`), which is mostly the next one. Half a millisecond is for rounded times of frames.
  func target(toShow position: MediaTime) -> MediaTime {
    guard let length, length <= Self.longestFrame else { return position }
    return position - length + .microseconds(5_500)
  }

  /// The position when mpv reports a frame: the start of the previous one.
  mutating func position(at frame: MediaTime) -> MediaTime {
    defer { last = frame }
    let step = length ?? last.map { frame - $0 } ?? .zero
    guard (.zero...Self.longestFrame).contains(step) else { return frame }
    return max(frame - step, .zero)
  }
}
