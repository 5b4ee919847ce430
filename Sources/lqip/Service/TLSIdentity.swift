package import LqipFiles

/// A server's chain of certificates and its private key, both in PEM.
package struct TLSIdentity: Sendable {
  let certificate: [UInt8]
  let key: [UInt8]
  /// The files they are from, for messages.
  let certificatePath: FilePath
  let keyPath: FilePath

  /// Reads both files; whether they can be used shows when a server starts.
  package init(certificate certificatePath: FilePath, key keyPath: FilePath) throws(CommandError) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
    certificate = try Self.content(of: certificatePath)
    key = try Self.content(of: keyPath)
  }

  private static func content(of path: FilePath) throws(CommandError) -> [UInt8] {
    let reason: String
    do {
      if let file = try RegularFile(opening: path, followsLinks: true) {
        return file.descriptor.read(upTo: file.status.byteCount)
      }
      reason = "not a regular file"
    } catch {
      reason = "\(error)"
    }
    throw .failed("\(path): cannot read: \(reason)")
  }
}
