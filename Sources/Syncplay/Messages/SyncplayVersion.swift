/// A version as its numbers: the reference compares texts, to which 1.10.0 is older than 1.5.0.
package struct SyncplayVersion: Equatable, Comparable, Sendable {
  private let numbers: [Int]

  /// Reads the leading numbers of a text such as `1.7.3` or `1.7.4-beta`; of anything else, none.
  package init(_ text: String) {
    var numbers: [Int] = []
    for part in text.split(separator: ".", maxSplits: 4).prefix(4) {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits) else { break }
      numbers.append(number)
      if digits.count < part.count { break }
    }
    self.numbers = numbers
  }

  /// Orders versions number by number; missing ones are zero.
  package static func < (left: SyncplayVersion, right: SyncplayVersion) -> Bool {
    for place in 0..<max(left.numbers.count, right.numbers.count) {
      let (one, other) = (left.number(place), right.number(place))
      if one != other { return one < other }
    }
    return false
  }

  private func number(_ place: Int) -> Int { place < numbers.count ? numbers[place] : 0 }

  /// The first with readiness and managed rooms.
  package static let readiness = SyncplayVersion("1.3.0")
  /// The first with shared playlists.
  package static let playlists = SyncplayVersion("1.4.0")
  /// The first with chat.
  package static let chat = SyncplayVersion("1.5.0")
  /// The first in which somebody who may steer can set others' readiness; an older one takes the
  /// name in such a message for its own.
  package static let othersReadiness = SyncplayVersion("1.7.2")
}
