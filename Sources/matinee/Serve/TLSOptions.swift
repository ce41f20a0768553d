import ArgumentParser
import EventLoops
import Foundation
import Logging
import PushTransports
import Server
import TLS

/// The server's certificate, and whether connections are encrypted.
struct TLSOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server's certificate with its chain, in PEM, or the word own; SIGHUP reads it again.",
      discussion: """
        Connections are encrypted with it; on loopback, those that begin so. own: the server makes \
        one and keeps it beside the journal; its links carry the fingerprint, by which Matinee's \
        clients know the server again. A server on an open address does that by itself.
        """, valueName: "file"), completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp(
      "The certificate's private key in PEM, in a file that nobody else may read.",
      valueName: "file"), completion: .file())
  var tlsKey: String?

  @Flag(help: "Let people on other machines connect without encryption, too.")
  var plaintext = false

  /// The word for a certificate that the server makes itself.
  private static let own = "own"

  func validate() throws {
    if tlsCertificate == Self.own {
      guard tlsKey == nil, !plaintext else {
        throw ValidationError("the server's own certificate needs no --tls-key, and no --plaintext")
      }
      return
    }
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("a certificate needs its key: give --tls-certificate and --tls-key")
    }
  }

  /// Checks that clients can come in that take no certificate that a server made itself.
  ///
  /// - Parameter clients: who comes in at the addresses.
  func check(
    _ endpoints: [ServerConfiguration.Endpoint], of clients: String
  ) throws(ValidationError) {
    guard endpoints.contains(where: { !$0.isLoopback }), files == nil, !plaintext else {
      return
    }
    throw ValidationError(
      "\(clients) need a certificate that others vouch for: give --tls-certificate, or say "
        + "--plaintext")
  }

  /// The files that were named; `nil` for none.
  var files: CertificateFiles? {
    guard let tlsCertificate, let tlsKey else { return nil }
    return CertificateFiles(certificate: tlsCertificate, key: tlsKey)
  }

  /// Encryption, and whether the server made its certificate itself.
  struct Made {
    var encryption: Encryption
    var isSelfMade = false
    /// Where the certificate is that the server made; `nil` if it made none, or keeps it nowhere.
    var ownFile: String?

    /// What clients check who trust no authority for this server.
    var fingerprint: KeyFingerprint? { isSelfMade ? encryption.identity?.fingerprint : nil }

    /// What is offered to clients that check a certificate by its authorities.
    var vouchedIdentity: TLSIdentity? { isSelfMade ? nil : encryption.identity }
  }

  /// Reads the certificate that was named; `nil` for none.
  @discardableResult
  func namedIdentity(keeping kept: KeptFiles) throws(KeyFileError) -> TLSIdentity? {
    try kept.value(\.identity, of: "certificate") { () throws(KeyFileError) in
      try files?.identity()
    }
  }

  /// Reads the certificate, or makes one where other machines reach the server.
  ///
  /// - Parameters:
  ///   - endpoints: where people come in.
  ///   - journal: where the journal is.
  ///   - kept: keeps a certificate that was named.
  /// - Throws: `KeyFileError`.
  func make(
    listening endpoints: [ServerConfiguration.Endpoint], beside journal: JournalLocation,
    keeping kept: KeptFiles
  ) throws(KeyFileError) -> Made {
    if let identity = try namedIdentity(keeping: kept) {
      return Made(encryption: Encryption(identity: identity, allowsPlaintext: plaintext))
    }
    let isOpen = endpoints.contains { !$0.isLoopback }
    guard tlsCertificate == Self.own || isOpen && !plaintext else {
      return Made(encryption: Encryption(allowsPlaintext: plaintext))
    }
    let ownFile = journal.besideIt.map { $0 + ".tls" }
    let identity =
      if let path = ownFile {
        try KeyFile.readOrMake(path, making: SelfSignedCertificate.make) {
          (path) throws(KeyFileError) in
          let pem = try KeyFile.contents(of: path)
          return try CertificateFiles(certificate: path, key: path).identity(pem, pem)
        }
      } else {
        try CertificateFiles.freshIdentity()
      }
    return Made(
      encryption: Encryption(identity: identity, allowsPlaintext: false), isSelfMade: true,
      ownFile: ownFile)
  }

  /// Tells a log by what the server proves itself, and when that ends.
  func tell(_ made: Made, _ log: Logger) {
    guard let identity = made.encryption.identity else { return }
    log.info(
      "encrypting",
      metadata: [
        "certificate": "\(tlsCertificate ?? Self.own)",
        "fingerprint": "\(identity.fingerprint)",
      ])
    identity.tellExpiry(log)
  }
}

extension TLSIdentity {
  /// Three weeks before it ends, whoever renews certificates has failed to.
  private static let warningSeconds: Int64 = 21 * 86_400

  /// Warns of a certificate that is not valid yet, ends soon, or has ended.
  func tellExpiry(_ log: Logger) {
    if waitingSeconds > 0 {
      log.warning(
        "the certificate is not valid yet, and clients refuse it: wait, or check the clock",
        metadata: ["days": "\(waitingSeconds / 86_400)"])
    }
    guard remainingSeconds < Self.warningSeconds else { return }
    log.warning(
      "the certificate ends soon or has ended: renew it and send SIGHUP",
      metadata: ["days": "\(remainingSeconds / 86_400)"])
  }
}

/// Why a file that could not be read cannot be.
func unreadableFile(_ path: String) -> String {
  do throws(UVError) {
    try PlainFile.checkReadable(path)
    return "this is not a file"
  } catch {
    return error.code == .noSuchFile
      ? "there is no such file" : "the file cannot be read (\(error.code.meaning))"
  }
}

/// The files of a certificate and its key.
struct CertificateFiles: Sendable {
  let certificate: String
  let key: String

  /// Reads both.
  func identity() throws(KeyFileError) -> TLSIdentity {
    guard let certificates = FileManager.default.contents(atPath: certificate) else {
      throw KeyFileError(
        certificate, unreadableFile(certificate),
        "name the file with the certificate and its chain")
    }
    return try identity(Array(certificates), try KeyFile.contents(of: key))
  }

  /// The pair that both files contain.
  func identity(
    _ certificates: [UInt8], _ secret: [UInt8]
  ) throws(KeyFileError) -> TLSIdentity {
    do throws(TLSIdentityFault) {
      return try TLSIdentity(certificates: certificates, key: secret)
    } catch {
      throw complaint(error)
    }
  }

  /// Reads both again.
  func reloaded() throws(FileComplaint) -> TLSIdentity {
    do throws(KeyFileError) {
      return try identity()
    } catch {
      throw FileComplaint(lines: ["\(error)"], exitCode: 66)
    }
  }

  /// A new certificate, which is kept nowhere.
  static func freshIdentity() throws(KeyFileError) -> TLSIdentity {
    let pem = SelfSignedCertificate.make()
    return try CertificateFiles(certificate: "the server's own", key: "the server's own")
      .identity(pem, pem)
  }

  /// What is wrong, in words.
  func complaint(_ fault: TLSIdentityFault) -> KeyFileError {
    switch fault {
    case .noCertificate:
      KeyFileError(
        certificate, "this is no certificate in PEM", "name the file with the certificate's chain")
    case .noKey:
      KeyFileError(
        key, "this is no private key in PEM without a passphrase",
        "name the key's file; take a passphrase off with: openssl pkey -in FILE -out NEW")
    case .mismatch:
      KeyFileError(
        key, "this key does not fit the certificate in \(certificate)",
        "name the two files that belong together")
    case .misplaced:
      KeyFileError(
        certificate, "the certificate that \(key) belongs to is not the first one",
        "put it before those of the authorities")
    case .weak:
      KeyFileError(
        certificate, "this certificate is too weak for TLS today",
        "get one with P-256, or with RSA of 2048 bits and more")
    }
  }
}
