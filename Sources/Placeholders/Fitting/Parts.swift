/// A number for each of four parts of an image, which are computed side by side.
typealias Parts = SIMD4<Float>
