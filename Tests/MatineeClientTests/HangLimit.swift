import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs, and no other: tests that run a loop hold the few threads that these
  /// would go on with, all together for minutes.
  static var hangLimit: Self { .timeLimit(.minutes(30)) }
}
