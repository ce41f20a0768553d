/// What WebSocket costs: a delivery in a frame, compared with one in a line.
///
/// Encryption is not measured again, because the same stream encrypts both.
struct WebSocketCost {
  let stage: Stage
  let effort: Effort

  /// The event is encoded once for lines and frames, so only a header is more.
  private static let target = Figure.Target.atMost(1.3)

  func measure(into section: inout Section) throws(BenchError) {
    section.figures.append(
      try DeliveryRatio(stage: stage, effort: effort).figure(
        "a delivery to \(DeliveryRatio.audience) peers", by: .web, beside: .matinee,
        target: Self.target))
  }
}
