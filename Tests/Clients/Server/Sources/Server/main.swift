import CJPEG
import CPNG
import Files
import Foundation
import PlaceholderEncoding
import Records

precondition(client_jpeg() == 1 && client_png() == 1)
let bytes = try Files.content(of: CommandLine.arguments[1])
do {
  let placeholders = try PlaceholderEncoder().encode(bytes.span)
  print(Records.line(for: placeholders.blurHash))
} catch {
  print(error.localizedDescription)
}
