/// What looking through a journal found.
package struct JournalVerification: Equatable, Sendable {
  /// How many streams were looked at, those set aside not counted.
  package var streams = 0
  /// How many events were read.
  package var events = 0
  /// How many of them were replayed: all but those whose beginning is gone.
  package var replayed = 0
  /// How many snapshots were read, and how many of them compared with the replay.
  package var snapshots = 0
  package var comparedSnapshots = 0
  /// How many late answers were read.
  package var answers = 0
  /// How many streams lack their beginning, which retention removed.
  package var shortened = 0
  /// The streams that a server could not read and set aside: `session abc`.
  package var setAside: [String] = []
  /// What is wrong, for people; the first hundred things.
  package private(set) var damage: [String] = []
  /// How many more things are wrong.
  package private(set) var furtherDamage = 0

  /// A damaged page makes thousands of rows unreadable: a hundred say as much.
  private static let mostDamage = 100

  /// Whether nothing is wrong.
  package var isSound: Bool { damage.isEmpty }

  /// Nothing looked at yet.
  package init() {}

  /// Adds something that is wrong.
  package mutating func complain(_ text: String) {
    if damage.count < Self.mostDamage {
      damage.append(text)
    } else {
      furtherDamage += 1
    }
  }
}
