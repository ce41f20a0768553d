import ArgumentParser
import PushTransports
import Signatures

/// The server's secrets, in files: a command line is everybody's to read.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The secret that invitations are signed with; made there if there is no such file.",
      discussion: """
        32 random bytes, or their Base64URL. Without this option it stands beside the journal; with \
        --journal memory, each start has another one.
        """, valueName: "file"))
  var invitationKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "A word of 16 letters or more that lets whoever shows it push to anybody: matinee push.",
      discussion: "One is made with: (umask 077; openssl rand -hex 32 > admin.key)",
      valueName: "file"))
  var adminKeyFile: String?

  /// The invitations' key, and where it is kept; nowhere, if nothing is.
  ///
  /// - Throws: `KeyFileError`.
  func invitationKey(
    beside journal: JournalLocation
  ) throws(KeyFileError) -> (key: InvitationKey, path: String?) {
    let path =
      switch (invitationKeyFile, journal) {
      case (let path?, _): path
      case (nil, .sqlite(let path)): path + ".invitation-key"
      case (nil, .memory): nil as String?
      }
    guard let path else {
      var system = SystemRandomNumberGenerator()
      return (InvitationKey(using: &system), nil)
    }
    return (try KeyFile.invitationKey(path), path)
  }

  /// The administrator's key, if there is one.
  ///
  /// - Throws: `KeyFileError`.
  func administratorKey() throws(KeyFileError) -> AdministratorKey? {
    guard let adminKeyFile else { return nil }
    return try KeyFile.administratorKey(adminKeyFile).key
  }
}
