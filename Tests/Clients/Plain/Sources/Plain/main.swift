import Foundation
import PlaceholderEncoding

// Prints the media type of each image, or the decoding error.
for path in CommandLine.arguments.dropFirst() {
  let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  do {
    print(try ImageDecoder().decode(bytes).format.mimeType)
  } catch {
    print(error)
  }
}
