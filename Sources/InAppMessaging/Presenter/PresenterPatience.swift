/// How long a presenter waits for its app and its views before it goes on without them.
package struct PresenterPatience: Equatable, Sendable {
  /// How long an app may think about showing a message; then it is shown.
  package var choice = Duration.seconds(5)
  /// How long an app may think about a click's action; then the action is taken.
  package var processing = Duration.seconds(5)
  /// How long images may take: beyond it the event that brought the message is long past.
  package var assets = Duration.seconds(10)
  /// How long from taking the screen to being on it: images, and half as long again for the view.
  package var presenting = Duration.seconds(15)
  /// How long a view may take to go: twenty times the longest movement.
  package var dismissing = Duration.seconds(5)

  /// The usual times.
  package init() {}

  /// The same time for all.
  package init(_ limit: Duration) {
    (choice, processing, assets, presenting, dismissing) = (limit, limit, limit, limit, limit)
  }
}
