internal import CLLHTTP

/// What llhttp reads in a whole head: the fields, and whether the connection goes on.
///
/// llhttp runs once over one piece of memory, strictly, so nothing of it is kept between calls.
struct HeadFields {
  private(set) var fields: [HTTPFields.Field] = []
  private(set) var keepsAlive = false
  private var name: [UInt8] = []
  private var value: [UInt8] = []

  /// - Parameter head: from the method to the empty line.
  init(_ head: ArraySlice<UInt8>) throws(HTTPFault) {
    var parser = unsafe llhttp_t()
    unsafe llhttp_init(&parser, HTTP_REQUEST, Self.callbacks)
    let error = unsafe withUnsafeMutablePointer(to: &self) { reading in
      unsafe parser.data = UnsafeMutableRawPointer(reading)
      return unsafe head.withUnsafeBytes { bytes in
        unsafe llhttp_execute(
          &parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      }
    }
    // The pause behind an upgrade comes where the head ends, too.
    guard error == HPE_OK || error == HPE_PAUSED_UPGRADE else {
      let reason = unsafe llhttp_get_error_reason(&parser).map { unsafe String(cString: $0) }
      throw .malformed(reason ?? "it is none")
    }
  }

  private mutating func endField() {
    fields.append(
      HTTPFields.Field(
        name: String(decoding: name, as: UTF8.self).lowercased(),
        value: String(decoding: value, as: UTF8.self).trimmingSpaces))
    name.removeAll(keepingCapacity: true)
    value.removeAll(keepingCapacity: true)
  }

  /// Written once, and only read afterwards.
  private nonisolated(unsafe) static let callbacks: UnsafeMutablePointer<llhttp_settings_t> = {
    let callbacks = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
    unsafe callbacks.initialize(to: llhttp_settings_t())
    unsafe callbacks.pointee.on_header_field = { parser, letters, count in
      unsafe HeadFields.reading(of: parser) { reading in
        unsafe reading.name += UnsafeRawBufferPointer(start: letters, count: count)
      }
    }
    unsafe callbacks.pointee.on_header_value = { parser, letters, count in
      unsafe HeadFields.reading(of: parser) { reading in
        unsafe reading.value += UnsafeRawBufferPointer(start: letters, count: count)
      }
    }
    unsafe callbacks.pointee.on_header_value_complete = { parser in
      unsafe HeadFields.reading(of: parser) { $0.endField() }
    }
    unsafe callbacks.pointee.on_headers_complete = { parser in
      let keepsAlive = unsafe llhttp_should_keep_alive(parser) == 1
      return unsafe HeadFields.reading(of: parser) { $0.keepsAlive = keepsAlive }
    }
    return unsafe callbacks
  }()

  /// Passes what a parser reads into to the body.
  ///
  /// - Returns: 0, which tells llhttp to go on.
  private static func reading(
    of parser: UnsafeMutablePointer<llhttp_t>?, _ body: (inout HeadFields) -> Void
  ) -> CInt {
    guard let data = unsafe parser?.pointee.data else { return -1 }
    unsafe body(&data.assumingMemoryBound(to: HeadFields.self).pointee)
    return 0
  }
}
