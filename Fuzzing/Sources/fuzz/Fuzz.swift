import CLibFuzzer

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs libFuzzer on one target: `fuzz TARGET [OPTION…] [CORPUS…]`.
@main struct Fuzz {
  static func main() {
    guard
      CommandLine.arguments.count > 1,
      let target = FuzzTarget(rawValue: CommandLine.arguments[1])
    else {
      print("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) …")
      exit(2)
    }
    // libFuzzer parses the remaining arguments, with the target's name as the program name.
    var count = CommandLine.argc - 1
    var arguments = unsafe Optional(CommandLine.unsafeArgv + 1)
    exit(unsafe LLVMFuzzerRunDriver(&count, &arguments, target.function))
  }
}

extension FuzzTarget {
  /// The target as a C function, which cannot capture a variable.
  fileprivate var function: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt {
    switch self {
    case .exif: { unsafe FuzzTarget.exif.run($0, $1) }
    case .profile: { unsafe FuzzTarget.profile.run($0, $1) }
    case .jpeg: { unsafe FuzzTarget.jpeg.run($0, $1) }
    case .png: { unsafe FuzzTarget.png.run($0, $1) }
    case .rows: { unsafe FuzzTarget.rows.run($0, $1) }
    case .webp: { unsafe FuzzTarget.webp.run($0, $1) }
    case .gif: { unsafe FuzzTarget.gif.run($0, $1) }
    case .heif: { unsafe FuzzTarget.heif.run($0, $1) }
    case .previews: { unsafe FuzzTarget.previews.run($0, $1) }
    case .replies: { unsafe FuzzTarget.replies.run($0, $1) }
    case .pages: { unsafe FuzzTarget.pages.run($0, $1) }
    }
  }

  /// Runs the target on an input.
  ///
  /// - Returns: 0, or -1 if the input should not be added to the corpus.
  fileprivate func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    run(unsafe Array(UnsafeBufferPointer(start: start, count: count))) ? 0 : -1
  }
}
