#if os(Linux)
import Foundation
import PlaceholdersTestSupport

/// A library whose functions take the place of the C library's in a program.
struct PreloadedLibrary {
  struct NoCompiler: Error {}

  private let scratch: TemporaryDirectory

  /// Compiles the functions, which are written in C.
  init(_ text: String) throws {
    scratch = try TemporaryDirectory()
    let source = try scratch.write("library.c", Array(text.utf8))
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-o", scratch.file("library.so"), source]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw NoCompiler() }
  }

  /// The environment in which a program has it, with variables that the functions look at.
  func environment(_ variables: [String: String]) -> [String: String] {
    variables.merging(["LD_PRELOAD": scratch.file("library.so")]) { $1 }
  }
}
#endif
