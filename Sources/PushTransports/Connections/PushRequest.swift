/// What is posted to a push service.
struct PushRequest: Equatable, Sendable {
  var url: String
  /// In the order that they are sent in.
  var fields: [(name: String, value: String)]
  var body: [UInt8]

  static func == (left: PushRequest, right: PushRequest) -> Bool {
    left.url == right.url && left.body == right.body
      && left.fields.elementsEqual(right.fields) { $0 == $1 }
  }
}
