/// The advice for an unknown word: the most similar known word, and all known words.
package func suggestion(for word: String, _ known: [String]) -> String {
  let all = "write one of: \(known.joined(separator: ", "))"
  let nearest = known.map { ($0, editDistance(word, $0)) }.min { $0.1 < $1.1 }
  guard let nearest, nearest.1 <= max(1, word.count / 3) else { return all }
  return "did you mean `\(nearest.0)`? Otherwise \(all)"
}

/// The number of insertions, deletions, changes and swaps of adjacent characters between two words
/// (optimal string alignment, Damerau 1964).
private func editDistance(_ left: String, _ right: String) -> Int {
  // A paragraph in place of a word is not similar to any word.
  guard left.count <= 64 else { return left.count }
  let (left, right) = (Array(left), Array(right))
  var before: [Int] = []
  var row = Array(0...right.count)
  for (index, letter) in left.enumerated() {
    var next = [index + 1]
    for (column, other) in right.enumerated() {
      let changed = row[column] + (letter == other ? 0 : 1)
      var least = min(changed, row[column + 1] + 1, next[column] + 1)
      if index > 0, column > 0, letter == right[column - 1], left[index - 1] == other {
        least = min(least, before[column - 1] + 1)
      }
      next.append(least)
    }
    (before, row) = (row, next)
  }
  return row[right.count]
}

/// A mistake in a phrase, and what to write instead.
package struct PhraseError: Error, Equatable, Sendable {
  /// What is wrong, without a full stop.
  package var problem: String
  /// What to write instead, without a full stop.
  package var advice: String

  package init(_ problem: String, _ advice: String) {
    self.problem = problem
    self.advice = advice
  }
}
