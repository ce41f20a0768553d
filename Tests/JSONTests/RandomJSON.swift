import JSON
import Vocabulary

/// A random JSON value, to be written and read back.
indirect enum RandomJSON: JSONWritable {
  case string(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case null
  case array([RandomJSON])
  case object([(String, RandomJSON)])

  init(from generator: inout SplitMix64, depth: Int = 0) {
    switch Int.random(in: 0..<(depth < 5 ? 8 : 5), using: &generator) {
    case 0: self = .string(Self.text(from: &generator))
    case 1:
      let bits = Int.random(in: 0..<64, using: &generator)
      self = .integer(Int64(bitPattern: generator.next()) >> Int64(bits))
    case 2:
      let double = Double(bitPattern: generator.next())
      self = .number(double.isFinite ? double : 0.1)
    case 3: self = .boolean(Bool.random(using: &generator))
    case 4: self = .null
    case 5:
      self = .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          RandomJSON(from: &generator, depth: depth + 1)
        })
    default:
      // Names differ by their number: JSONSerialization keeps the last of two, we the first.
      self = .object(
        (0..<Int.random(in: 0...4, using: &generator)).map { number in
          (
            Self.text(from: &generator) + "\(number)",
            RandomJSON(from: &generator, depth: depth + 1)
          )
        })
    }
  }

  /// Scalars of every plane and many that must be escaped.
  static func text(from generator: inout SplitMix64) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...24, using: &generator) {
      let bound: UInt32 =
        [0x20, 0x80, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(
          using: &generator) ?? 0x80
      let scalar = Unicode.Scalar(UInt32.random(in: 0..<bound, using: &generator))
      text.unicodeScalars.append(scalar ?? "\"")
    }
    return text
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .string(let text): text.write(to: &writer)
    case .integer(let number): number.write(to: &writer)
    case .number(let number): number.write(to: &writer)
    case .boolean(let truth): truth.write(to: &writer)
    case .null: writer.elementNull()
    case .array(let elements): elements.write(to: &writer)
    case .object(let fields):
      writer.object { writer in
        for (name, value) in fields { writer.field(name, value) }
      }
    }
  }
}
