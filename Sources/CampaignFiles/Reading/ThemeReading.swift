import InAppMessaging
import YAML

/// Reads the colours of a message or a button: `light:` and `dark:`, each with what has a colour.
struct ThemeReading {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  func themes(_ node: FileNode) -> InAppMessage.Themes {
    let fields = Fields(node, findings, "the themes", known: ["light", "dark"])
    return InAppMessage.Themes(
      light: fields["light"].map(theme) ?? InAppMessage.Theme(), dark: fields["dark"].map(theme))
  }

  private func theme(_ node: FileNode) -> InAppMessage.Theme {
    let parts = InAppMessage.Theme.Part.allCases
    let fields = Fields(node, findings, "a theme", known: parts.map(\.rawValue))
    var theme = InAppMessage.Theme()
    for part in parts {
      theme[part] = fields.read(part.rawValue) { value throws(FileError) in
        try value.color("a colour")
      }
    }
    return theme
  }
}
