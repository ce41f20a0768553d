/// What a push service said.
struct PushAnswer: Equatable, Sendable {
  var status: Int
  /// The field of that name, as it stood there.
  var retryAfter: String?
  /// The beginning of what it said.
  var body: [UInt8] = []
}
