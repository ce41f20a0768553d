/// The properties of mpv that are read, set or observed here, by mpv's own names.
enum MpvProperty: String, CaseIterable, Sendable {
  case pause
  case speed
  /// Whether another speed keeps the pitch of sounds.
  case pitchCorrection = "audio-pitch-correction"
  case duration
  case endReached = "eof-reached"
  case pausedForCache = "paused-for-cache"
  /// The number of the sound track that plays, none without one; known before it plays.
  case soundTrack = "aid"
  /// Where the sound is: runs on smoothly (measured: within 0.1 ms). Not there before the first
  /// start from the beginning of an item.
  case soundPosition = "audio-pts"
  /// The start of the frame handed to the screen last: steps by frames, see ``FrameDelay``.
  case framePosition = "time-pos"
  /// Frames a second, as the file says.
  case frameRate = "container-fps"

  /// The number under which changes of it are observed.
  var observationID: Int { Self.allCases.firstIndex(of: self).map { $0 + 1 } ?? 0 }
}
