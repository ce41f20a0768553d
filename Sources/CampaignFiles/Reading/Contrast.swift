import Foundation
import InAppMessaging

/// The contrast of a text with its background, by WCAG 2.2.
///
/// Clients show a text that cannot be read black or white; their rule is the same.
struct Contrast {
  /// From 1 to 21.
  let ratio: Double

  /// What a text needs at least (1.4.3).
  private static let readable = 4.5

  /// The contrast on an opaque background; `nil` on another one, because what is behind it is
  /// not known.
  init?(of text: Color, on background: Color) {
    guard background.opacity == 1 else { return nil }
    let ground = background.channels
    // A text that is not opaque is mixed with its background.
    let ink = zip(text.channels, ground).map { $0 * text.opacity + $1 * (1 - text.opacity) }
    let (one, other) = (Self.luminance(ink), Self.luminance(ground))
    ratio = (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  var isReadable: Bool { ratio >= Self.readable }

  private static func luminance(_ channels: [Double]) -> Double {
    zip([0.2126, 0.7152, 0.0722], channels).reduce(0) { sum, channel in
      let (weight, share) = channel
      return sum + weight * (share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4))
    }
  }
}

extension Color {
  fileprivate var opacity: Double { Double(argb >> 24) / 255 }

  /// Red, green and blue, from 0 to 1.
  fileprivate var channels: [Double] { [16, 8, 0].map { Double(argb >> $0 & 0xFF) / 255 } }
}
