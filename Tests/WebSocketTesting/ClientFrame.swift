/// Frames as clients send them, right and wrong (RFC 6455, 5.2).
package struct ClientFrame {
  package enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case reserved = 3
    case close = 8
    case ping = 9
    case pong = 10
    case reservedControl = 11
  }

  /// How the header says the length; the shortest form is the only right one.
  package enum LengthForm { case shortest, two, eight }

  package var opcode: Opcode
  package var payload: [UInt8]
  package var isLast: Bool
  package var isMasked = true
  /// The three reserved bits.
  package var reserved: UInt8 = 0
  package var form = LengthForm.shortest
  /// What the header says; by default, what is true.
  package var claimed: UInt64?

  package init(opcode: Opcode, payload: [UInt8], isLast: Bool = true) {
    self.opcode = opcode
    self.payload = payload
    self.isLast = isLast
  }

  private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

  package var bytes: [UInt8] {
    let count = claimed ?? UInt64(payload.count)
    let first = (isLast ? 0x80 : 0) | reserved << 4 | opcode.rawValue
    let bit: UInt8 = isMasked ? 0x80 : 0
    let wide = { (bytes: Int) in
      stride(from: 8 * (bytes - 1), through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: count >> $0)
      }
    }
    let length: [UInt8] =
      switch form {
      case .shortest where count <= 125: [bit | UInt8(count)]
      case .shortest where count <= 0xFFFF: [bit | 126] + wide(2)
      case .two: [bit | 126] + wide(2)
      case .shortest, .eight: [bit | 127] + wide(8)
      }
    guard isMasked else { return [first] + length + payload }
    return [first] + length + Self.mask
      + payload.enumerated().map { $1 ^ Self.mask[$0 % Self.mask.count] }
  }
}

extension [UInt8] {
  package static func text(_ text: String, isLast: Bool = true) -> [UInt8] {
    ClientFrame(opcode: .text, payload: Array(text.utf8), isLast: isLast).bytes
  }

  package static func more(_ text: String, isLast: Bool = true) -> [UInt8] {
    ClientFrame(opcode: .continuation, payload: Array(text.utf8), isLast: isLast).bytes
  }

  package static func ping(_ text: String) -> [UInt8] {
    ClientFrame(opcode: .ping, payload: Array(text.utf8)).bytes
  }

  package static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
    frame(.close, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(reason.utf8))
  }

  package static func frame(
    _ opcode: ClientFrame.Opcode, _ payload: [UInt8] = [],
    _ change: (inout ClientFrame) -> Void = { _ in }
  ) -> [UInt8] {
    var frame = ClientFrame(opcode: opcode, payload: payload)
    change(&frame)
    return frame.bytes
  }
}
