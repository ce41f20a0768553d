import Testing
import Vocabulary
import Wire
import WireTesting

/// Whatever comes, a decoder answers with a message or an error.
@Suite struct LineFuzzTests {
  /// 20 seeds of 500 lines of clients and as many of servers: 20 000 mutations.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `mutated lines are read or refused, and never trap`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let clientTypes = ClientMessage.types
    var clients = ClientLineDecoder(limits: Limits())
    var servers = ServerLineDecoder(maximumBytes: 1 << 20)
    var read = 0
    var refused = 0
    for number in 0..<500 {
      let client = mutated(
        encode(random.clientMessage(clientTypes[number % clientTypes.count])), by: &random)
      let server = mutated(encode(random.anyServerMessage()), by: &random)
      do throws(MalformedLine) {
        // What was read once reads back the same: nothing is half understood.
        let message = try clients.decode(client.span)
        let line = Array(encode(message).dropLast())
        let again = try clients.decode(line.span)
        #expect(again == message)
        read += 1
      } catch { refused += 1 }
      do throws(MalformedLine) {
        let message = try servers.decode(server.span)
        let line = Array(encode(message).dropLast())
        let again = try servers.decode(line.span)
        #expect(again == message)
        read += 1
      } catch { refused += 1 }
    }
    #expect(read > 100 && refused > 100, "seed \(seed): \(read) read, \(refused) refused")
  }

  private func mutated(_ line: [UInt8], by random: inout RandomValues) -> [UInt8] {
    var line = Array(line.dropLast())
    for _ in 0..<random.number(1...2) where !line.isEmpty {
      let place = random.number(0...line.count - 1)
      switch random.number(0...9) {
      case 0: line[place] = UInt8(truncatingIfNeeded: random.generator.next())
      case 1: line.remove(at: place)
      case 2: line.insert(contentsOf: Self.fragments[random.number(0...9)].utf8, at: place)
      case 3: line.removeSubrange(place..<min(line.count, place + random.number(1...20)))
      case 4...6: mutateLetter(in: &line, near: place, by: &random)
      default: mutateDigit(in: &line, near: place, by: &random)
      }
    }
    return line
  }

  /// Words that are none, and fields that are missing, are still JSON.
  private func mutateLetter(
    in line: inout [UInt8], near place: Int, by random: inout RandomValues
  ) {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard let letter = line[place...].firstIndex(where: letters.contains) else { return }
    line[letter] = letters.lowerBound + UInt8(random.number(0...25))
  }

  /// Numbers out of range are found more often where digits become other digits.
  private func mutateDigit(
    in line: inout [UInt8], near place: Int, by random: inout RandomValues
  ) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let digit = line[place...].firstIndex(where: digits.contains) else { return }
    let texts = ["-1", "9223372036854775807", "18446744073709551615", "1e19", "0.5", "null"]
    line.replaceSubrange(digit...digit, with: texts[random.number(0...5)].utf8)
  }

  private static let fragments = [
    "\"", "{", "}", "[", "]", ",", ":", "null", #""id":1,"#, #"\ud800"#,
  ]
}
