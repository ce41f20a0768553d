extension Int64 {
  /// A size in bytes, in the unit that suits it.
  var sizeText: String {
    var (tenths, unit) = (self * 10, 0)
    while tenths >= 10_000, unit < 4 {
      tenths = (tenths + 500) / 1000
      unit += 1
    }
    let number = unit == 0 ? "\(self)" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(["B", "kB", "MB", "GB", "TB"][unit])"
  }
}
