import ArgumentParser
import MatineeClient
import MatineeTerminal
import PushTransports
import QRCodes
import Signatures
import TLS
import Vocabulary
import WebAddresses

/// `matinee invite`: prints the link that lets others into a group.
struct Invite: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the link that lets others into a group.",
    usage: """
      matinee invite <group> --as <name> [--server <host:port>] [--page <address>]
      matinee invite --access-key-file <file> [--own-certificate-file <file>]
                     [--server <host:port>] [--page <address>]
      """,
    discussion: """
      Any member may pass the group's link on; on a terminal that is wide enough it is a QR code, \
      too. Whoever has the link may come in, until the founder changes the key: the verb rekey of \
      matinee join.

      With --page, the address of matinee serve --http, there is a second link, which any browser \
      opens, and the QR code is that one's: a phone's camera leads straight into the group.

      With --access-key-file, which only the server's owner can read, it prints the link that \
      opens new groups, and asks no server. --server is then the address that the link has, and \
      --own-certificate-file names the certificate that the server made itself, if it did.

      Exit codes: 0 printed, 1 the server or the group refuses, 64 wrong usage, 66 no credential \
      or no key in the file, 69 no server.
      """)

  @Argument(help: ArgumentHelp("The group, which you are in.", valueName: "group"))
  var group: String?

  @OptionGroup var visit: VisitArguments

  @Option(
    help: ArgumentHelp(
      "The server's secret, for the link that opens groups.", valueName: "file"),
    completion: .file())
  var accessKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "The certificate that the server made itself, whose fingerprint the link then carries.",
      discussion: "It stands beside the server's journal: journal.sqlite.tls.", valueName: "file"),
    completion: .file())
  var ownCertificateFile: String?

  @Option(
    help: ArgumentHelp(
      "Where browsers find the server's page, such as https://film.example.",
      discussion: "http is only for this machine.", valueName: "address"))
  var page: String?

  func validate() throws {
    _ = try pageAddress()
    guard (group != nil) != (accessKeyFile != nil) else {
      throw ValidationError(
        group == nil
          ? "name a group that you are in, or give --access-key-file"
          : "--access-key-file prints the link that opens groups; leave the group out")
    }
    if ownCertificateFile != nil {
      guard accessKeyFile != nil else {
        throw ValidationError("--own-certificate-file needs --access-key-file")
      }
      try visit.securityArguments.checkNoneGiven(beside: "--own-certificate-file")
    }
    guard let group else {
      guard visit.name == nil else {
        throw ValidationError("--access-key-file needs nobody's name; leave --as out")
      }
      return
    }
    _ = try visit.requiredName()
    _ = try GroupPlace(server: visit.server, group: group)
  }

  @MainActor
  func run() async throws {
    if let accessKeyFile {
      try show(try foundingLink(accessKeyFile))
    } else {
      try show(try await groupLink())
    }
  }

  private func pageAddress() throws(ValidationError) -> PageAddress? {
    guard let page else { return nil }
    return try PageAddress(option: page)
  }

  private func foundingLink(_ path: String) throws -> GroupLink {
    do {
      let keys = AccessKeys(try KeyFile.storedAccessKey(path))
      let linked = try ownCertificateFile.map { file in
        let identity = try CertificateFiles(certificate: file, key: file).identity()
        return ConnectionSecurity.fingerprint(identity.fingerprint.base64URL)
      }
      return try GroupLink(
        endpoint: try visit.endpoint(), security: try visit.security(linked: linked).security,
        group: nil,
        key: keys.founding.text)
    } catch let error as KeyFileError {
      throw complaint("\(error)", 66)
    } catch let error as GroupLinkError {
      throw complaint(error.message, 64)
    }
  }

  /// The group's link, which its members are told the key of.
  @MainActor
  private func groupLink() async throws -> GroupLink {
    let place = try GroupPlace(server: visit.server, group: group)
    let security = try visit.security().security
    let client = try await visit.connect()
    do throws(GroupWatchError) {
      try await client.joinGroup(place.group)
      // The key comes with the group; this answer comes behind both.
      _ = try await client.status()
    } catch {
      await client.endVisit()
      throw complaint(error.text, 1)
    }
    let key = client.groupState.key.current
    await client.endVisit()
    guard let key else {
      throw complaint("the group has no key: whoever reaches the server may join it", 1)
    }
    do throws(GroupLinkError) {
      return try place.link(with: key, security)
    } catch {
      throw complaint(error.message, 64)
    }
  }

  private func show(_ link: GroupLink) throws(ValidationError) {
    let page = try pageAddress()
    let pageLink = page?.link(to: link.group, key: link.key)
    print(link.text)
    if let pageLink { print(pageLink) }
    if let drawing = QRDrawing(link: pageLink ?? link.text),
      drawing.fits(TerminalSize.ofStandardOutput)
    {
      for line in drawing.text(.standardOutput) { print(line) }
    }
    var standardError = StandardError()
    if isLoopback(host: link.endpoint.host) {
      print(
        "This link works on this machine only; --server gives it the address that others use.",
        to: &standardError)
    }
    if page?.isLoopback == true {
      print(
        "The browser's link works on this machine only; --page gives it the address that others use.",
        to: &standardError)
    }
  }
}

extension QRDrawing {
  /// A link as a QR code; `nil` if it has none.
  init?(link: String) {
    do throws(QRCodeFault) {
      self.init(try QRCode(link))
    } catch {
      return nil
    }
  }

  func fits(_ terminal: TerminalSize?) -> Bool {
    terminal.map { size.columns <= $0.columns } ?? false
  }
}
