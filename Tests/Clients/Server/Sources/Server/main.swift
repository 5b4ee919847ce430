import CJPEG
import CPNG
import Files
import Foundation
import PlaceholderEncoding
import Records

precondition(client_jpeg() == 1 && client_png() == 1)
let bytes = try Files.content(of: CommandLine.arguments[1])
do {
  let placeholders = try PlaceholderEncoder().encode(bytes)
  print(placeholders.blurHash.map { Records.line(for: $0) } ?? "")
} catch {
  print(error.localizedDescription)
}
