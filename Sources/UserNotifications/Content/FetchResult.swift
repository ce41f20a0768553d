/// What a reception handler made of a notification.
public enum FetchResult: String, Hashable, Sendable, CaseIterable {
  case newData
  case noData
  case failed

  /// The result as the server hears it.
  package var deliveryResult: DeliveryResult {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}
