/// How fast media time runs against group time; a rate of zero does not exist, that is a pause.
///
/// Kept in thousandths, so that rates compare exactly and positions need no floating point.
public struct Rate: Hashable, Comparable, Sendable {
  /// The rate times 1000.
  public let thousandths: Int32

  /// Normal speed.
  public static let normal = Rate(thousandths: 1000)
  /// The slowest rate the protocol carries: below it players produce silence or noise.
  public static let slowest = Rate(thousandths: 250)
  /// The fastest rate the protocol carries.
  public static let fastest = Rate(thousandths: 4000)

  private init(thousandths: Int32) {
    self.thousandths = thousandths
  }

  /// The rate rounded to thousandths, or `nil` outside 0.25 … 4.
  public init?(_ factor: Double) {
    guard factor >= 0.25, factor <= 4 else { return nil }
    thousandths = Int32((factor * 1000).rounded())
  }

  /// The rate as a factor; 1 is normal speed.
  public var factor: Double { Double(thousandths) / 1000 }

  /// Orders rates from slow to fast.
  public static func < (left: Rate, right: Rate) -> Bool {
    left.thousandths < right.thousandths
  }

  /// How much media passes in a stretch of time at this rate.
  public func media(in time: Duration) -> Duration {
    .microseconds(time.microseconds.scaled(by: Int64(thousandths), over: 1000))
  }

  /// How much time a stretch of media takes at this rate.
  public func time(for media: Duration) -> Duration {
    .microseconds(media.microseconds.scaled(by: 1000, over: Int64(thousandths)))
  }
}
