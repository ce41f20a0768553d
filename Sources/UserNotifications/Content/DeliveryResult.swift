/// What became of a notification on a device; the server hears it as the acknowledgement.
public enum DeliveryResult: String, Hashable, Sendable, CaseIterable {
  /// It was shown.
  case presented
  /// The app was in front, and did not want it shown.
  case notPresented
  // The word of the reception handler.
  case newData
  case noData
  case failed
  // Of a response.
  /// The handler of a response said that it was done.
  case completed
  // Of both.
  /// A handler did not say in time that it was done.
  case timedOut
  /// It had come before.
  case alreadyDelivered
}
