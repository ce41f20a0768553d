import ArgumentParser
import CampaignFiles
import YAML

/// Which campaigns are meant.
struct CampaignSourceArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A directory of campaign files, or the word shipped.", valueName: "directory"))
  var directory: String

  func validate() throws {
    guard !directory.isEmpty else {
      throw ValidationError("name a directory of campaign files, or write shipped")
    }
  }

  /// Reads them; every mistake is told, and ends the program.
  func read() throws -> [CampaignEntry] {
    do throws(CampaignFilesError) {
      return try CampaignSource(directory).read()
    } catch {
      switch error {
      case .unreadable: throw complaint("\(error)", 66)
      case .refused(let errors):
        var standardError = StandardError()
        for error in errors { print("\(error)", to: &standardError) }
        let files = Set(errors.map(\.file)).count
        throw complaint(
          "\(counted(errors.count, "mistake")) in \(counted(files, "file")); "
            + "a server would go on with the campaigns it has", 65)
      }
    }
  }
}
