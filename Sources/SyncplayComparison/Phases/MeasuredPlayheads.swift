import Stages
import Vocabulary

/// The playheads of some people, from the beginning until now.
struct MeasuredPlayheads {
  private let names: [String]
  private let tracks: [String: PlayheadTrack]
  private let spreads: PlayheadSpreads
  private let end: HostTime

  init(of names: [String], _ tracks: [String: PlayheadTrack], until end: HostTime) {
    self.names = names
    self.tracks = tracks
    self.end = end
    spreads = PlayheadSpreads(tracks)
  }

  /// These at one instant.
  struct Moment {
    fileprivate let tracks: [String: PlayheadTrack]
    fileprivate let spread: () -> Double?
    fileprivate let at: HostTime

    func runs(_ name: String) -> Bool { tracks[name]?.point(at: at)?.isRunning == true }

    func stands(_ name: String) -> Bool { tracks[name]?.isStill(at: at) == true }

    func place(of name: String) -> MediaTime? { tracks[name]?.point(at: at)?.place }

    func areTogether(within milliseconds: Double) -> Bool {
      spread().map { $0 <= milliseconds } ?? false
    }
  }

  /// The time from a moment until something holds, in milliseconds.
  func firstInstant(from begin: HostTime, where holds: (Moment) -> Bool) -> Double? {
    PlayheadSpreads.instants(from: begin, to: end).first { time in
      holds(Moment(tracks: tracks, spread: { spreads.spread(of: names, at: time) }, at: time))
    }.map { ($0 - begin).inMilliseconds }
  }

  /// The spreads since a moment, in milliseconds.
  func spreads(from begin: HostTime) -> [Double] { spreads.all(of: names, from: begin, to: end) }

  /// How far the pictures are apart at the end, in milliseconds.
  var framesApart: Double? { spreads.frameSpread(of: names, at: end) }

  /// How far anybody was, at most, from where they would have been if they had run on undisturbed, in
  /// milliseconds.
  func displacement(from begin: HostTime) -> Double? {
    names.flatMap { name -> [Double] in
      guard let track = tracks[name] else { return [] }
      let known = PlayheadSpreads.instants(from: begin, to: end).compactMap { time in
        track.point(at: time).map { (time: time, place: $0.place) }
      }
      guard let first = known.first else { return [] }
      return known.map { abs(($0.place - first.place - ($0.time - first.time)).inMilliseconds) }
    }.max()
  }
}
