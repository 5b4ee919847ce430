import CLqipArchive

/// Reads the entries of a tar archive, plain or compressed, in one pass.
///
/// It supports the compression formats that libarchive decodes without an external program. Concatenated archives are
/// read as one. Names are the unconverted bytes in the archive, because the program runs in the C locale.
@safe package struct TarReader: ~Copyable {
  /// The header of an archive entry.
  package struct Entry {
    package let path: FilePath
    package let status: FileStatus
    /// The path of the entry to which a hard link refers; `nil` if the entry is not a hard link.
    package let hardLinkTarget: FilePath?
    /// The error in a damaged header, whose path may be wrong; `nil` if the header is valid.
    package let defect: String?
  }

  private static let blockSize = 1 << 16
  private static let options = "tar:read_concatenated_archives,tar:!mac-ext"

  private let name: FilePath
  private let descriptor: FileDescriptor
  private let library: lqip_archive_functions
  private let archive: OpaquePointer
  private var isAtEnd = false

  /// Opens an archive; `-` is standard input.
  package init(_ path: FilePath) throws(CommandError) {
    let descriptor = try Self.open(path)
    guard let library = unsafe lqip_archive()?.pointee else {
      throw Self.failure(path, "libarchive could not be loaded")
    }
    unsafe archive = try Self.archive(path, descriptor, library)
    self.library = library
    self.descriptor = descriptor
    name = path
  }

  deinit { _ = unsafe library.archive_read_free(archive) }

  /// Advances to the next entry; returns `nil` after the last.
  package mutating func next() throws(CommandError) -> Entry? {
    guard !isAtEnd else { return nil }
    var header: OpaquePointer?
    let result = unsafe library.archive_read_next_header(archive, &header)
    guard result != ARCHIVE_EOF else {
      // libarchive accepts an archive without the end-of-archive marker, which a truncated archive lacks.
      guard
        unsafe library.archive_filter_bytes(archive, 0)
          > library.archive_read_header_position(archive)
      else {
        throw Self.failure(name, "truncated: no end-of-archive marker")
      }
      isAtEnd = true
      return nil
    }
    guard result == ARCHIVE_OK || result == ARCHIVE_WARN,
      let header = unsafe header, let name = unsafe library.archive_entry_pathname(header),
      let status = unsafe library.archive_entry_stat(header)
    else { throw unsafe Self.failure(name, Self.reason(from: archive, library)) }
    let isValid =
      unsafe result == ARCHIVE_OK || library.archive_errno(archive) == Self.unconvertedName
    return unsafe Entry(
      path: FilePath(cString: name), status: FileStatus(status.pointee),
      hardLinkTarget: library.archive_entry_hardlink(header).map { unsafe FilePath(cString: $0) },
      defect: isValid ? nil : Self.reason(from: archive, library))
  }

  /// Reads the content of the entry that ``next()`` returned last.
  package mutating func content(of entry: Entry) throws(CommandError) -> [UInt8] {
    var content: [UInt8] = []
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    // Limit the content to the declared size, because the block map of a sparse file can exceed it.
    while content.count <= entry.status.byteCount {
      let count = unsafe library.archive_read_data(archive, &block, block.count)
      guard count >= 0 else { throw unsafe Self.failure(name, Self.reason(from: archive, library)) }
      guard count > 0 else { return content }
      content += block[..<count]
    }
    throw Self.failure(name, "damaged: the content of \(entry.path) exceeds its declared size")
  }

  /// libarchive's error code for a name that it could not convert to the locale's encoding.
  #if canImport(Darwin)
  private static let unconvertedName = EFTYPE
  #else
  private static let unconvertedName = EILSEQ
  #endif

  private static func open(_ path: FilePath) throws(CommandError) -> FileDescriptor {
    do {
      guard path != FilePath("-") else { return try FileDescriptor(duplicating: STDIN_FILENO) }
      let descriptor = try FileDescriptor(opening: path, O_RDONLY)
      guard try FileStatus(of: descriptor.number).kind != .directory else {
        throw SystemError(number: EISDIR)
      }
      return descriptor
    } catch {
      throw failure(path, "\(error)")
    }
  }

  private static func archive(
    _ name: FilePath, _ descriptor: borrowing FileDescriptor, _ library: lqip_archive_functions
  ) throws(CommandError) -> OpaquePointer {
    guard let archive = unsafe library.archive_read_new() else {
      throw failure(name, "out of memory")
    }
    guard unsafe filters(library).allSatisfy({ unsafe $0.enable(archive) == ARCHIVE_OK }),
      unsafe library.archive_read_support_format_tar(archive) == ARCHIVE_OK,
      unsafe library.archive_read_set_options(archive, options) == ARCHIVE_OK,
      unsafe library.archive_read_open_fd(archive, descriptor.number, blockSize) == ARCHIVE_OK
    else {
      defer { _ = unsafe library.archive_read_free(archive) }
      throw unsafe failure(name, reason(from: archive, library))
    }
    return unsafe archive
  }

  /// The compression formats for which libarchive is linked to a library, with the functions that enable them.
  ///
  /// For other formats, libarchive would run an external program.
  private static func filters(
    _ library: lqip_archive_functions
  ) -> [(name: String, enable: @convention(c) (OpaquePointer?) -> Int32)] {
    let all = unsafe [
      ("gzip", library.archive_zlib_version(), library.archive_read_support_filter_gzip),
      ("bzip2", library.archive_bzlib_version(), library.archive_read_support_filter_bzip2),
      ("xz", library.archive_liblzma_version(), library.archive_read_support_filter_xz),
      ("zstd", library.archive_libzstd_version(), library.archive_read_support_filter_zstd),
    ]
    return unsafe all.filter { unsafe $0.1 != nil }.map { unsafe ($0.0, $0.2) }
  }

  /// libarchive's error message for an unknown format or compression.
  private static let unrecognized = "Unrecognized archive format"

  private static func reason(
    from archive: OpaquePointer, _ library: lqip_archive_functions
  ) -> String {
    guard let text = unsafe library.archive_error_string(archive) else { return "unknown error" }
    let reason = unsafe "\(FilePath(cString: text))"
    guard reason == unrecognized else { return reason }
    let names = unsafe filters(library).map(\.name).joined(separator: ", ")
    return "\(reason); expected a tar archive, uncompressed or compressed with: \(names)"
  }

  private static func failure(_ name: FilePath, _ reason: String) -> CommandError {
    let name = name == FilePath("-") ? "standard input" : "\(name)"
    return .input("\(name): cannot read archive: \(reason)")
  }
}
