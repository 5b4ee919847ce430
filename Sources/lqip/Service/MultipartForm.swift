internal import CLqipMicroHTTPD
internal import LqipFiles

/// Takes the files out of a `multipart/form-data` body.
final class MultipartForm {
  private static let bufferByteCount = 64 << 10

  private let maximumFileCount: Int
  private var files: [Request.File] = []
  private var isOverfull = false
  private var name = FilePath([])
  private var bytes: [UInt8]?

  private init(maximumFileCount: Int) {
    self.maximumFileCount = maximumFileCount
  }

  /// Whether a body of this type is a form.
  static func isForm(_ contentType: String?) -> Bool {
    contentType?.split { $0 == ";" || $0 == " " }.first?.lowercased() == "multipart/form-data"
  }

  /// Reads a body as a form.
  ///
  /// The body is read in one go: in pieces, the library reports the start of a file twice if the
  /// piece ends there, which nothing tells from a file without a byte.
  ///
  /// - Parameters:
  ///   - body: The whole body.
  ///   - connection: The connection it came by, whose fields name the boundary.
  ///   - maximumFileCount: The most files that are taken.
  /// - Returns: The files in their order; fields that are no files are left out.
  /// - Throws: The problem that the request is answered with.
  static func files(
    in body: [UInt8], of connection: borrowing HTTPConnection, maximumFileCount: Int
  ) throws(Problem) -> [Request.File] {
    let form = MultipartForm(maximumFileCount: maximumFileCount)
    let malformed = Problem(
      status: 400, code: "bad_request", detail: "the body is not a whole multipart/form-data")
    let processor = unsafe MHD_create_post_processor(
      connection.pointer, bufferByteCount,
      { form, _, _, fileName, _, _, data, offset, count in
        guard let form = unsafe form else { return .NO }
        return unsafe Unmanaged<MultipartForm>.fromOpaque(form).takeUnretainedValue()
          .take(fileName, UnsafeRawBufferPointer(start: data, count: count), offset) ? .YES : .NO
      }, Unmanaged.passUnretained(form).toOpaque())
    guard let processor = unsafe processor else { throw malformed }
    let isRead = unsafe body.withUnsafeBytes {
      unsafe MHD_post_process(
        processor, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    let isComplete = unsafe MHD_destroy_post_processor(processor)
    form.finishFile()
    guard !form.isOverfull else {
      throw Problem(
        status: 413, code: "too_large", detail: "the form has more than \(maximumFileCount) files")
    }
    guard isRead == .YES, isComplete == .YES else { throw malformed }
    return form.files
  }

  private func take(
    _ fileName: UnsafePointer<CChar>?, _ piece: UnsafeRawBufferPointer, _ offset: UInt64
  ) -> Bool {
    if offset == 0 {
      finishFile()
      guard let fileName = unsafe fileName else { return true }
      isOverfull = files.count == maximumFileCount
      guard !isOverfull else { return false }
      name = unsafe FilePath(cString: fileName)
      bytes = []
    }
    unsafe bytes?.append(contentsOf: piece)
    return true
  }

  private func finishFile() {
    if let bytes { files.append(Request.File(name: name, bytes: bytes)) }
    bytes = nil
  }
}
