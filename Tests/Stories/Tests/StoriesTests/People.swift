import MatineeClient

extension GroupWatchClient {
  /// Connects a person's device.
  static func online(
    _ name: String, on device: String = "phone", at server: Endpoint,
    adjust: (inout ClientOptions) -> Void = { _ in }
  ) async throws -> GroupWatchClient {
    var options = ClientOptions()
    adjust(&options)
    let me = Identity(user: UserID(name), device: DeviceID("\(name)-\(device)"), name: name)
    return try await connect(to: server, as: me, options: options)
  }
}
