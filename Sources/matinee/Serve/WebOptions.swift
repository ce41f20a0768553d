import ArgumentParser
import EventLoops
import MatineeClient
import Server
import WebAddresses

/// Where browsers come in, and whose pages may connect.
struct WebOptions: ParsableArguments {
  @Option(
    name: .customLong("http"),
    help: ArgumentHelp(
      "Address for browsers, such as [::]:8080; may be given more than once.",
      discussion: """
        Serves the page, with which people watch without installing anything, at \
        https://HOST/GROUP#KEY; matinee invite --page prints that link. Browsers refuse a \
        certificate that the server made itself: give --tls-certificate, or --plaintext behind a \
        proxy that encrypts.
        """, valueName: "host:port"))
  var addresses: [String] = []

  @Option(
    name: .customLong("origin"),
    help: ArgumentHelp(
      "Whose pages may connect beside the server's own, such as https://app.example.",
      discussion: "May be given more than once; a page of any other origin is refused.",
      valueName: "origin"))
  var originTexts: [String] = []

  @Option(
    name: .customLong("page"),
    help: ArgumentHelp(
      "Where browsers find this server's page, such as https://film.example.",
      discussion: """
        The links that the server prints lead there, and players outside a browser fetch media \
        there: give it behind a proxy, or with a certificate for another name than the machine's. \
        Without it, that is the first --http address that other machines reach. http is only for \
        this machine.
        """, valueName: "address"))
  var pageText: String?

  @Option(
    name: .customLong("trusted-proxy"),
    help: ArgumentHelp(
      "A reverse proxy that is believed about its clients, such as 127.0.0.1 or 172.18.0.0/24.",
      discussion: """
        May be given more than once. A client's address is then the last one in the proxy's \
        X-Forwarded-For that is no such proxy's, and has the bounds of an address, such as \
        --connections-per-address, for itself. From anybody else, that header counts for nothing. \
        Give no network that clients are in, because each of them could choose its address.
        """, valueName: "address"))
  var proxyTexts: [String] = []

  @Option(
    name: .customLong("media"),
    help: ArgumentHelp(
      "A folder with films and music that participants may watch, in browsers and in mpv.",
      discussion: """
        Members of a group see the list, and fetch a file while it is watched in their session. Links \
        and hidden files in it are left out.
        """, valueName: "folder"))
  var mediaPath: String?

  @Option(
    name: .customLong("metrics"),
    help: ArgumentHelp(
      "Address or port at which the server's figures are collected, as OpenMetrics' text at /metrics.",
      discussion: """
        A port alone means 127.0.0.1. At any other address, whoever reaches it reads the figures, \
        unencrypted.
        """, valueName: "[host:]port"))
  var metricsText: String?

  func validate() throws {
    _ = try metricsEndpoint()
    for (option, isGiven) in [
      ("origin", !originTexts.isEmpty), ("page", pageText != nil), ("media", mediaPath != nil),
      ("trusted-proxy", !proxyTexts.isEmpty),
    ] where isGiven && addresses.isEmpty {
      throw ValidationError("--\(option) is for browsers; give --http 127.0.0.1:8080, too")
    }
    _ = try endpoints()
    _ = try origins()
    _ = try givenPage()
    _ = try trustedProxies()
  }

  /// The addresses for browsers; none if they are not served.
  func endpoints() throws(ValidationError) -> [ServerConfiguration.Endpoint] {
    try addresses.map { (text) throws(ValidationError) in
      try ServerConfiguration.Endpoint(text, of: "http", port: 8080)
    }
  }

  private func origins() throws(ValidationError) -> [WebOrigin] {
    try originTexts.map { (text) throws(ValidationError) in
      guard let origin = WebOrigin(text), WebAddress(text) != nil else {
        throw ValidationError(
          "--origin takes an origin such as https://app.example, without a path, not '\(text)'")
      }
      return origin
    }
  }

  private func trustedProxies() throws(ValidationError) -> TrustedProxies {
    TrustedProxies(
      try proxyTexts.map { (text) throws(ValidationError) in
        guard let network = IPNetwork(text) else {
          throw ValidationError(
            "--trusted-proxy takes an address or a network such as 127.0.0.1 or 172.18.0.0/24, "
              + "not '\(text)'")
        }
        return network
      })
  }

  private func givenPage() throws(ValidationError) -> PageAddress? {
    try pageText.map { (text) throws(ValidationError) in try PageAddress(option: text) }
  }

  /// The address of the page for people; `nil` if it is not served.
  ///
  /// It is never guessed from the origins: their pages may be another site's, whose scripts would
  /// read the key behind the `#`.
  ///
  /// - Parameters:
  ///   - addresses: the addresses for browsers that the server listens on.
  ///   - hasCertificate: whether an authority vouches for the server.
  ///   - name: what people elsewhere call the host of such an address.
  func page(
    at addresses: [String], hasCertificate: Bool, calling name: (String?) -> String
  ) throws(ValidationError) -> PageAddress? {
    if let page = try givenPage() { return page }
    let endpoints = addresses.compactMap(Endpoint.init)
    let open = endpoints.first { !isLoopback(host: $0.host) }
      .map { Endpoint(host: name($0.host), port: $0.port) }
    if let open { return PageAddress(at: open, isEncrypted: hasCertificate) }
    // No authority vouches for an address of this machine, which takes http as well.
    return endpoints.first.map { PageAddress(at: $0, isEncrypted: false) }
  }

  /// Where figures are collected; `nil` if they are not.
  func metricsEndpoint() throws(ValidationError) -> ServerConfiguration.Endpoint? {
    guard let metricsText else { return nil }
    if let port = UInt16(metricsText) {
      return ServerConfiguration.Endpoint(host: "127.0.0.1", port: port)
    }
    return try ServerConfiguration.Endpoint(metricsText, of: "metrics", port: 9464)
  }

  /// The folder with media; `nil` if there is none.
  ///
  /// - Throws: a complaint if it cannot be read.
  func media() throws(FileComplaint) -> ReadableFolder? {
    guard let mediaPath else { return nil }
    do throws(UVError) {
      return try ReadableFolder(mediaPath)
    } catch {
      throw FileComplaint(
        lines: [
          "\(mediaPath): \(error.code.meaning)", "give --media a folder that the server may read",
        ], exitCode: 66)
    }
  }

  /// The doors for browsers; `nil` if they are not served.
  func configuration(
    _ encryption: Encryption, _ media: ReadableFolder?, pushKey: String?
  ) throws(ValidationError) -> WebConfiguration? {
    guard !addresses.isEmpty else { return nil }
    return WebConfiguration(
      endpoints: try endpoints(), encryption: encryption, origins: try origins(),
      page: try givenPage().flatMap { WebOrigin($0.origin) }, trustedProxies: try trustedProxies(),
      media: media, pushKey: pushKey)
  }
}
