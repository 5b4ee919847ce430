import LqipRecords
import LqipSystem
import PlaceholderEncoding

/// What `lqip --version` prints: the program's version, and those of the libraries that images go through.
enum VersionText {
  /// The first libwebp that does not write beyond its memory (CVE-2023-4863).
  ///
  /// Distributions have corrected earlier ones, which still call themselves as before.
  private static let safeWebP = "1.3.2"

  static var text: String {
    let libraries = CodecLibrary.allCases.map { library in
      let version = library.version ?? "missing"
      return "  \(library.rawValue) \(version)\(library == .libwebp ? remark(onWebP: version) : "")"
    }
    return (["lqip \(ProgramVersion.current)"] + libraries + ["  sandbox: \(sandbox)"])
      .joined(separator: "\n")
  }

  /// The walls around a decoder on this system, or why there is none.
  private static var sandbox: String {
    do {
      return "\(try WorkerSupply.probe())"
    } catch {
      return "\(error)"
    }
  }

  static func remark(onWebP version: String) -> String {
    let numbers = [version, safeWebP].map { $0.split(separator: ".").compactMap { Int($0) } }
    return !numbers[0].isEmpty && numbers[0].lexicographicallyPrecedes(numbers[1])
      ? " (older than \(safeWebP): vulnerable to CVE-2023-4863 unless patched)"
      : ""
  }
}
