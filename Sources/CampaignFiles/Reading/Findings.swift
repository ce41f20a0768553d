import YAML

/// The mistakes found while a file is read, so that all can be told at once, and what may be one.
final class Findings {
  private(set) var errors: [FileError] = []
  private(set) var warnings: [CampaignWarning] = []

  func add(_ error: FileError) {
    errors.append(error)
  }

  func doubt(_ warning: CampaignWarning) {
    warnings.append(warning)
  }

  /// What can be read; nil, with the mistake noted, if it cannot.
  func note<Value>(_ read: () throws(FileError) -> Value) -> Value? {
    do throws(FileError) {
      return try read()
    } catch {
      add(error)
      return nil
    }
  }
}
