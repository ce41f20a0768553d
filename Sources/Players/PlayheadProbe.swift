package import EventLoops
package import Vocabulary

/// Measures from outside where an mpv is, over a connection of its own to its IPC socket.
///
/// Confined to its loop's thread. It asks every so often for the place of the sound; where there is
/// none, it takes every new frame as a reading. mpv's own ``MpvPlayer`` is not asked.
package final class PlayheadProbe: MpvConnectionDelegate {
  private let loop: EventLoop
  private let interval: Duration
  private var onReading: ((PlayheadReading) -> Void)?
  private var onEnd: ((EndpointError?) -> Void)?
  private var timer: LoopTimer?
  private var search: PatientConnect?
  private var connection: MpvConnection?
  private var asked: (id: Int64, at: HostTime)?
  /// The sound's reading, while the frame's is on its way.
  private var sound: (place: MediaTime, at: HostTime, roundTrip: Duration)?
  /// The frame at the last question.
  private var lastFrame: MediaTime?
  private var lastID: Int64 = 0
  private var watchesFrames = false
  private var frameDelay = FrameDelay()
  private var frameRateID: Int64?

  /// Begins to connect, and then to measure.
  ///
  /// - Parameters:
  ///   - socketPath: mpv's `--input-ipc-server`; it may appear later, within `patience`.
  ///   - interval: the time from question to question.
  ///   - patience: how long to try to connect; mpv takes 200 ms, on a busy machine seconds.
  ///   - loop: where it lives.
  ///   - onReading: gets each reading.
  ///   - onEnd: called once if the connection cannot be made, with the error, or ends, with nil;
  ///     not after ``close()``.
  package init(
    socketPath: String, every interval: Duration = .milliseconds(50),
    patience: Duration = .seconds(10), on loop: EventLoop,
    onReading: @escaping (PlayheadReading) -> Void,
    onEnd: @escaping (EndpointError?) -> Void = { _ in }
  ) {
    self.loop = loop
    self.interval = interval
    self.onReading = onReading
    self.onEnd = onEnd
    // Held until it is closed, as a stream is.
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
    timer?.fire(at: now + interval)
    // An mpv that is late with an answer is not asked again meanwhile.
    guard asked == nil else { return }
    lastID += 2
    asked = (lastID, now)
    // Answered in this order.
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
    case .changed(.framePosition, .number(let place)):
      guard watchesFrames else { return }
      onReading?(
        PlayheadReading(
          place: frameDelay.place(at: .seconds(place)), at: now, roundTrip: .zero,
          source: .frame, frame: .seconds(place)))
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
          place: sound.place, at: sound.at, roundTrip: sound.roundTrip, source: .sound,
          frame: frame))
    } else if let frame, frame == lastFrame {
      onReading?(
        PlayheadReading(
          place: frame, at: asked + (now - asked) * 0.5, roundTrip: now - asked,
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

/// Where a player was, as seen from outside.
package struct PlayheadReading: Equatable, Sendable {
  /// What the place was taken from.
  package enum Source: Equatable, Sendable {
    /// The sound, which runs on smoothly.
    case sound
    /// A new frame on the screen, at the moment it was told.
    case frame
    /// A frame that was still on the screen at the next question: the player stands there, and its
    /// sound has yet to begin.
    case stillFrame
  }

  /// Where it was.
  package let place: MediaTime
  /// When it was there: the middle between question and answer.
  package let at: HostTime
  /// The time from question to answer, zero for a frame; the moment is known to half of it.
  package let roundTrip: Duration
  /// What the place was taken from.
  package let source: Source
  /// The start of the frame on the screen, where it is known: two players that stand still show
  /// the same picture if it is the same.
  package let frame: MediaTime?

  /// A reading.
  package init(
    place: MediaTime, at: HostTime, roundTrip: Duration, source: Source, frame: MediaTime? = nil
  ) {
    self.place = place
    self.at = at
    self.roundTrip = roundTrip
    self.source = source
    self.frame = frame
  }
}

/// What mpv's `time-pos` says about a player that runs.
///
/// mpv tells a frame as it hands it to the screen, when the frame before has just come up: one
/// frame early (measured: 40 ms at 25 frames a second, with and without sound).
struct FrameDelay: Equatable, Sendable {
  /// How long a frame is, where mpv tells.
  var length: Duration?
  /// The frame that was told last.
  private var last: MediaTime?

  /// A longer step is a gap or a jump, not a frame.
  private static let longestFrame = Duration.milliseconds(250)

  init() {}

  /// Takes the frames a second, as mpv knows them; `nil` where it does not.
  mutating func learn(framesPerSecond: Double?) {
    length = framesPerSecond.flatMap { $0 >= 1 ? .seconds(1 / $0) : nil }
  }

  /// Where the player is as it tells a frame: at the start of the one before.
  mutating func place(at frame: MediaTime) -> MediaTime {
    defer { last = frame }
    let step = length ?? last.map { frame - $0 } ?? .zero
    guard (.zero...Self.longestFrame).contains(step) else { return frame }
    return max(frame - step, .zero)
  }
}
