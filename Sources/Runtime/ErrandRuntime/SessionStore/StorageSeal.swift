/// Encrypts what is written to the disk, and decrypts what is read from it: with a key of the keychain, for instance.
public struct StorageSeal: Sendable {
    package let seal: @Sendable ([UInt8]) throws -> [UInt8]
    package let open: @Sendable ([UInt8]) throws -> [UInt8]

    /// - Parameters:
    ///   - seal: encrypts bytes. After an error, they are not written.
    ///   - open: decrypts them. An error means that they cannot be read any more.
    public init(
        seal: @escaping @Sendable ([UInt8]) throws -> [UInt8], open: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
        self.seal = seal
        self.open = open
    }
}
