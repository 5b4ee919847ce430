import Placeholders

let hash = try BlurHash(parsing: "LtDTq=t3kCV[yGs.j@WWIWoff5bH")
let preview = try hash.bitmap(width: 4, height: 3)
print("\(preview.width)x\(preview.height)")
