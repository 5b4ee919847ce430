#if os(Linux)
import LqipTestSupport
import PlaceholdersTestSupport

/// A library whose functions replace those of the C library in a program, by `LD_PRELOAD`.
struct PreloadedLibrary {
  struct CompilationFailed: Error {}

  private let scratch = TemporaryDirectory()

  /// Compiles the functions from C source.
  init(_ text: String) throws {
    let source = try scratch.write("library.c", Array(text.utf8))
    let options = ["-shared", "-fPIC", "-o", scratch.file("library.so"), source]
    guard try Program(options, of: "clang").status == 0 else { throw CompilationFailed() }
  }

  /// Returns an environment in which a program uses the library, with variables for its functions.
  func environment(_ variables: [String: String]) -> [String: String] {
    variables.merging(["LD_PRELOAD": scratch.file("library.so")]) { $1 }
  }
}
#endif
