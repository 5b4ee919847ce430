import LqipTestSupport

@testable import lqip

extension Shell {
  /// Whether the shell is installed.
  var isInstalled: Bool {
    get throws { try run(arguments: ["-c", "exit 0"]).status == 0 }
  }

  /// Runs the shell, and returns its exit status and the lines of standard output and standard error.
  func run(arguments: [String]) throws -> (status: Int32, lines: [String]) {
    let run = try Program(arguments, of: rawValue)
    return (run.status, run.lines + run.errors.split(separator: "\n").map(String.init))
  }
}
