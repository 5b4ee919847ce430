/// What a server proves its name with: a chain of certificates and its key, both in PEM.
package struct TLSIdentity: Sendable {
  let certificate: [UInt8]
  let key: [UInt8]

  package init(certificate: [UInt8], key: [UInt8]) {
    self.certificate = certificate
    self.key = key
  }
}
