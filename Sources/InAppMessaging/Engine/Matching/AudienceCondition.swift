internal import Vocabulary

/// An audience, compiled for evaluation.
indirect enum AudienceCondition: Equatable, Sendable {
  case all
  case not(AudienceCondition)
  case allOf([AudienceCondition])
  case anyOf([AudienceCondition])
  case app(String)
  case version(PropertyFilter.Comparison, AppVersion)
  case attribute(Condition)
  case member(of: String)
  case users(Set<UserID>)
  case capability(String)

  // A level of a campaign file becomes up to two here, because an `allOf` joins conditions that stand
  // side by side.
  private static let deepest = 2 * CampaignLimits.nesting
  private static let largest = 2 * CampaignLimits.conditions

  /// Compiles an audience; errors name `field` as its place.
  init(_ audience: Audience, at field: String = "audience") throws(Condition.Failure) {
    var count = 0
    self = try Self.read(audience, at: field, depth: 0, count: &count)
  }

  private static func read(
    _ audience: Audience, at field: String, depth: Int, count: inout Int
  ) throws(Condition.Failure) -> AudienceCondition {
    count += 1
    guard depth < deepest, count <= largest else {
      throw Condition.Failure(
        field: field,
        reason: "more than \(largest) conditions, or more than \(deepest) in each other; use a list"
      )
    }
    switch audience {
    case .all: return .all
    case .app(let app): return .app(app)
    case .member(let list): return .member(of: list)
    case .users(let users): return .users(users)
    case .capability(let capability): return .capability(capability)
    case .not(let inner):
      return .not(try read(inner, at: field + ".not", depth: depth + 1, count: &count))
    case .allOf(let parts):
      return .allOf(try read(parts, at: field + ".allOf", depth: depth + 1, count: &count))
    case .anyOf(let parts):
      return .anyOf(try read(parts, at: field + ".anyOf", depth: depth + 1, count: &count))
    case .version(let comparison, let text):
      switch comparison {
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: break
      case .search, .set, .unset, .before, .after:
        throw Condition.Failure(
          field: field + ".version", reason: "versions are compared by equality and order only")
      }
      guard let version = AppVersion(text) else {
        throw Condition.Failure(
          field: field + ".version", reason: "`\(text)` is no version, such as 1.10.2")
      }
      return .version(comparison, version)
    case .attribute(let filter):
      do { return .attribute(try Condition(filter)) } catch {
        throw Condition.Failure(
          field: "\(field).attribute.\(error.field)", reason: error.reason)
      }
    }
  }

  private static func read(
    _ parts: [Audience], at field: String, depth: Int, count: inout Int
  ) throws(Condition.Failure) -> [AudienceCondition] {
    var conditions: [AudienceCondition] = []
    for (place, part) in parts.enumerated() {
      conditions.append(try read(part, at: "\(field)[\(place)]", depth: depth, count: &count))
    }
    return conditions
  }

  /// Whether a person on that device belongs to the audience; without a device, conditions on the
  /// device are false.
  func holds(for user: borrowing UserMessaging, on device: DevicePresence?) -> Bool {
    switch self {
    case .all: return true
    case .not(let inner): return !inner.holds(for: user, on: device)
    case .allOf(let parts):
      for part in parts where !part.holds(for: user, on: device) { return false }
      return true
    case .anyOf(let parts):
      for part in parts where part.holds(for: user, on: device) { return true }
      return false
    case .app(let app): return device?.app == app
    case .version(let comparison, let version):
      guard let actual = device?.version.flatMap(AppVersion.init) else { return false }
      return Condition.holds(actual, comparison, version)
    case .attribute(let condition): return condition.holds(for: user.attributes[condition.key])
    case .member(let list): return user.lists.contains(list)
    case .users(let users): return users.contains(user.id)
    case .capability(let capability): return device?.capabilities.contains(capability) ?? false
    }
  }

  /// Whether a condition depends on the device.
  var dependsOnDevice: Bool {
    switch self {
    case .all, .attribute, .member, .users: false
    case .app, .version, .capability: true
    case .not(let inner): inner.dependsOnDevice
    case .allOf(let parts), .anyOf(let parts): parts.contains(where: \.dependsOnDevice)
    }
  }
}

/// A version of an app, by its numbers: 1.10 is later than 1.9, and 2.0 is 2.
struct AppVersion: Comparable, Sendable {
  /// The numbers, without the zeros at the end.
  private let numbers: [UInt32]

  /// Bytes of a text that are read.
  private static let longest = 64

  /// The version that a text begins with, such as `1.10.2-beta`; `nil` if it begins with no number.
  init?(_ text: String) {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(4)
    var number: UInt32?
    let bytes = text.utf8Span.span
    for place in 0..<min(bytes.count, Self.longest) {
      let byte = bytes[place]
      if byte == UInt8(ascii: "."), let whole = number {
        numbers.append(whole)
        number = nil
        continue
      }
      guard (48...57).contains(byte) else { break }
      let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = tens.addingReportingOverflow(UInt32(byte - 48))
      guard !isTooLarge, !isStillTooLarge else {
        number = nil
        break
      }
      number = sum
    }
    if let number { numbers.append(number) }
    guard !numbers.isEmpty else { return nil }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  static func < (left: AppVersion, right: AppVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
