/// What every answer with a page or a part of one says, so that browsers protect who looks at it.
package enum SecurityFields {
  /// The page's own files, and nothing else: no script or style in the page's text, and nobody
  /// frames it (Content Security Policy Level 3).
  ///
  /// Media and the pictures of what is watched may be anywhere, but over TLS; `data:` is a QR code's
  /// picture, `blob:` a file that the person has chosen.
  static let policy: [(directive: String, sources: String)] = [
    ("default-src", "'none'"),
    ("script-src", "'self'"),
    ("style-src", "'self'"),
    ("connect-src", "'self'"),
    ("media-src", "'self' blob: https:"),
    ("img-src", "'self' data: blob: https:"),
    ("manifest-src", "'self'"),
    ("worker-src", "'self'"),
    ("frame-src", "'self'"),
    ("base-uri", "'none'"),
    ("form-action", "'none'"),
    ("frame-ancestors", "'none'"),
  ]

  /// Powers of a browser that the page never uses (Permissions Policy).
  private static let unused = [
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "serial", "usb",
  ]

  /// The frame of an in-app message that is a page of HTML, whose author is not trusted.
  ///
  /// Its scripts and styles stand in its text. It has an origin of its own (`sandbox`), and so nothing
  /// of the page that frames it; it loads nothing, and pictures and fonts stand in its text, too.
  static let framePolicy: [(directive: String, sources: String)] = [
    ("default-src", "'none'"),
    ("script-src", "'unsafe-inline'"),
    ("style-src", "'unsafe-inline'"),
    ("img-src", "data:"),
    ("font-src", "data:"),
    ("media-src", "data:"),
    ("base-uri", "'none'"),
    ("form-action", "'none'"),
    ("frame-ancestors", "'self'"),
    ("sandbox", "allow-scripts"),
  ]

  /// With the page and its parts.
  package static let all = fields(policy)

  /// With the frame of a message.
  package static let frame = fields(framePolicy)

  /// With what pages of other origins fetch, too: media and their list, because whoever has the
  /// address may, and the public key for pushes.
  package static let shared =
    fields(policy, readers: "cross-origin") + [("Access-Control-Allow-Origin", "*")]

  private static func fields(
    _ policy: [(directive: String, sources: String)], readers: String = "same-origin"
  ) -> [(name: String, value: String)] {
    let text = policy.map { "\($0.directive) \($0.sources)" }.joined(separator: "; ")
    return [
      ("Content-Security-Policy", text), ("Cross-Origin-Resource-Policy", readers),
    ] + others
  }

  private static let others: [(name: String, value: String)] = [
    // A file is what its Content-Type says, not what it looks like.
    ("X-Content-Type-Options", "nosniff"),
    // Addresses hold invitations.
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", unused.map { "\($0)=()" }.joined(separator: ", ")),
  ]
}
