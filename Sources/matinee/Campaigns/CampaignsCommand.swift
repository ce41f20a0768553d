import ArgumentParser

/// `matinee campaigns`: checks, lists and draws campaign files.
struct CampaignsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campaigns",
    abstract: "Check, list and preview campaigns; ask why somebody does not see one.",
    discussion: """
      A campaign says which in-app message goes to whom, when, and how often. Campaigns are files in \
      YAML, one or more in each, in one directory. check, list and preview only read them, and need no \
      server; explain asks one that runs.

      Where a directory is due, the word shipped stands for the campaigns that Matinee brings along; \
      a directory of that name is ./shipped.

      Try it:
        matinee campaigns list shipped
        matinee campaigns preview shipped banner --user last_watched=Sintel
      """,
    subcommands: [
      CheckCampaigns.self, ListCampaigns.self, PreviewCampaign.self, ExplainCampaigns.self,
    ])
}
