import YAML

extension FileNode {
  /// A length of time, as it is written in phrases.
  func duration(_ what: String) throws(FileError) -> Duration {
    let text = try text(what)
    return try reading { () throws(PhraseError) in
      var words = try Words(text)
      let duration = try words.duration(what)
      try words.finish()
      return duration
    }
  }
}
