import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// The text of `lqip --version`: the versions of the program and its codec libraries, and the sandbox.
enum VersionText {
  /// The first version of libwebp without the heap overflow CVE-2023-4863.
  ///
  /// Some distributions patch older versions without changing the version number.
  private static let safeWebP = "1.3.2"

  static var text: String {
    let libraries = CodecLibrary.allCases.map { library in
      let version = library.version ?? "missing"
      return "  \(library.rawValue) \(version)\(library == .libwebp ? remark(onWebP: version) : "")"
    }
    return (["lqip \(ProgramVersion.current)"] + libraries + ["  sandbox: \(sandbox)"])
      .joined(separator: "\n")
  }

  /// The sandbox of a worker on this system, or the reason that workers have none.
  private static var sandbox: String {
    do {
      return "\(try WorkerSupply.probe())"
    } catch {
      return "\(error)"
    }
  }

  /// Returns a warning if the version of libwebp is unsafe, otherwise an empty string.
  static func remark(onWebP version: String) -> String {
    let numbers = [version, safeWebP].map { $0.split(separator: ".").compactMap { Int($0) } }
    return !numbers[0].isEmpty && numbers[0].lexicographicallyPrecedes(numbers[1])
      ? " (older than \(safeWebP): vulnerable to CVE-2023-4863 unless patched)"
      : ""
  }
}
