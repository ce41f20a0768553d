/// The figures of one server, in the order in which they came first; each round adds to them.
package struct ComparisonFigures: Equatable, Sendable {
  /// Each with all its values so far.
  package private(set) var all: [ComparisonFigure] = []

  /// No figures yet.
  package init() {}

  /// Takes in one round's figure: a further value of one that is there, or a new one.
  package mutating func add(_ figure: ComparisonFigure) {
    if let place = all.firstIndex(where: { $0.isSame(as: figure) }) {
      all[place].values += figure.values
    } else {
      all.append(figure)
    }
  }
}
