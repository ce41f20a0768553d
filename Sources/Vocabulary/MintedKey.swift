// Keys of 128 bits, as people pass them on.

/// The number of letters and digits of a key.
package let mintedKeyLength = 26
/// The digits that hold 64 bits.
private let half = mintedKeyLength / 2

/// A key of 26 letters and digits, from 128 bits that nobody can guess.
package func mintedKey(_ first: UInt64, _ second: UInt64) -> String {
  mintedText(first, digits: half) + mintedText(second, digits: half)
}

/// Whether these are the letters and digits of a key.
package func isMintedKey(_ digits: some RandomAccessCollection<UInt8>) -> Bool {
  digits.count == mintedKeyLength && mintedNumber(digits.prefix(half)) != nil
    && mintedNumber(digits.suffix(half)) != nil
}
