import ArgumentParser
import Server

/// Where browsers come in, and whose pages may connect.
struct WebOptions: ParsableArguments {
  @Option(
    name: .customLong("http"),
    help: ArgumentHelp(
      "Address for browsers, such as [::]:8080; may be given more than once.",
      discussion: """
        There is the page with which people watch without installing anything: \
        https://HOST/GROUP#KEY. Browsers take no certificate that a server made itself: give \
        --tls-certificate, or say --plaintext behind a proxy that encrypts.
        """, valueName: "host:port"))
  var addresses: [String] = []

  @Option(
    name: .customLong("origin"),
    help: ArgumentHelp(
      "Whose pages may connect beside the server's own, such as https://app.example.",
      discussion: "May be given more than once; a page of any other origin is refused.",
      valueName: "origin"))
  var originTexts: [String] = []

  func validate() throws {
    if addresses.isEmpty, !originTexts.isEmpty {
      throw ValidationError("--origin is for browsers; give --http 127.0.0.1:8080, too")
    }
    _ = try endpoints()
    _ = try origins()
  }

  /// The addresses for browsers; none if they are not served.
  func endpoints() throws(ValidationError) -> [ServerConfiguration.Endpoint] {
    try addresses.map { (text) throws(ValidationError) in
      try ServerConfiguration.Endpoint(text, of: "http", port: 8080)
    }
  }

  private func origins() throws(ValidationError) -> [WebOrigin] {
    try originTexts.map { (text) throws(ValidationError) in
      guard let origin = WebOrigin(text) else {
        throw ValidationError(
          "--origin takes an origin such as https://app.example, without a path, not '\(text)'")
      }
      return origin
    }
  }

  /// The doors for browsers; `nil` if they are not served.
  func configuration(_ encryption: Encryption) throws(ValidationError) -> WebConfiguration? {
    guard !addresses.isEmpty else { return nil }
    return WebConfiguration(
      endpoints: try endpoints(), encryption: encryption, origins: try origins())
  }
}
