extension Int64 {
  /// A size in bytes, in the unit that suits it.
  var sizeText: String {
    guard self >= 1000 else { return "\(self) B" }
    var size = Double(self)
    var unit = 0
    // What would be rounded to 1000.0 has the next unit already.
    while size >= 999.95, unit < 4 {
      size /= 1000
      unit += 1
    }
    return "\((size * 10).rounded() / 10) \(["B", "kB", "MB", "GB", "TB"][unit])"
  }
}
