package import YAML

/// What a client would make of a campaign that its author may not have meant; it is taken all the
/// same.
package struct CampaignWarning: Equatable, Sendable, CustomStringConvertible {
  /// What it is, and where it stands.
  package var error: FileError
  /// The view that is not known here; an app may have registered it.
  package var view: String?

  /// A warning.
  package init(_ error: FileError, view: String? = nil) {
    self.error = error
    self.view = view
  }

  /// The warning as an editor finds it: `file:line:column: warning: problem; advice`.
  package var description: String {
    "\(error.file):\(error.line):\(error.column): warning: \(error.problem); \(error.advice)"
  }
}
