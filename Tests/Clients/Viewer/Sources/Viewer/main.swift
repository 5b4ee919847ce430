import Placeholders

let hash = try BlurHash("LtDTq=t3kCV[yGs.j@WWIWoff5bH")
let preview = hash.bitmap(width: 4, height: 3)
print("\(preview.width)x\(preview.height)")
