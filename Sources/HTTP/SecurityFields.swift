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
    "accelerometer", "bluetooth", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "serial", "usb",
  ]

  package static let all: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      policy.map { "\($0.directive) \($0.sources)" }.joined(separator: "; ")
    ),
    // A file is what its Content-Type says, not what it looks like.
    ("X-Content-Type-Options", "nosniff"),
    // Addresses hold invitations.
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", unused.map { "\($0)=()" }.joined(separator: ", ")),
  ]
}
