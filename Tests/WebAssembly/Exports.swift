/// Returns the placeholders of a generated image as null-terminated text.
@_expose(wasm, "placeholders")
@_cdecl("placeholders")
public func placeholders(seed: UInt32) -> UnsafePointer<UInt8> {
  let text = Array(GeneratedImage.placeholders(seed: seed).utf8) + [0]
  let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
  memory.initialize(from: text, count: text.count)
  return UnsafePointer(memory)
}
