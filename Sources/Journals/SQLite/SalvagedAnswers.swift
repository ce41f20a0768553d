/// The answers of devices, as far as they can be read, and whether any may be missing.
///
/// Of those in events none is ever missing that matters: it went with its event, and the request may
/// be carried out again.
struct SalvagedAnswers {
  /// How many answers a device has, once it has asked as often.
  private let ring: Int
  /// Of which tables no answer is missing unseen.
  ///
  /// Without recent ones no device's are all there, without those in rings only those of devices
  /// whose ring can be read in full: earlier answers from elsewhere would fill the place of a later
  /// one that is missing.
  private let areSound: (inRings: Bool, recent: Bool)
  /// The recent ones, and those in events that were looked at.
  var unfiled = UnfiledAnswers()

  init(in old: DamagedRows, ring: Int) {
    self.ring = ring
    let recent = old.answers(in: "recent", JournalSQL.recentAnswers)
    areSound = (old.answers(in: "answer", JournalSQL.allAnswers).areSound, recent.areSound)
    for answer in recent.values { unfiled.add(answer) }
  }

  /// A device's answers, and whether they are all that it had.
  func answers(
    of device: Int64, in old: DamagedRows
  ) -> (values: [JournalRow.Answer], areAll: Bool) {
    let filed = old.filedAnswers(of: device)
    let answers = unfiled.filed(into: filed.values, of: device)
    let areAll =
      filed.areAll && isWhole(answers) && areSound.recent
      && (areSound.inRings || filed.values.count >= ring)
    return (answers, areAll)
  }

  /// Answers are numbered, and a full ring has no gap.
  private func isWhole(_ answers: [JournalRow.Answer]) -> Bool {
    guard let newest = answers.last?.number else { return true }
    let oldest = max(1, newest - Int64(ring) + 1)
    return answers.map(\.number).suffix(ring).elementsEqual(oldest...newest)
  }
}
