package import LqipFiles

extension SignalObserver {
  /// Ends the program at once when a signal comes, or if one has come, as long as nothing else is set.
  ///
  /// - Parameter cleanUp: What is done before, maybe on another thread.
  package func exitOnSignal(_ cleanUp: @escaping @Sendable () -> Void) {
    let end: @Sendable (Int32) -> Never = { signal in
      cleanUp()
      _exit(128 + signal)
    }
    onSignal { [self] in end(received ?? SIGTERM) }
  }
}
