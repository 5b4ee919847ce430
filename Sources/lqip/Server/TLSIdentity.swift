/// What a server proves its name with: a chain of certificates and its key, both in PEM.
struct TLSIdentity: Sendable {
  let certificate: [UInt8]
  let key: [UInt8]
}
