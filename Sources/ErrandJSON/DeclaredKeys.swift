/// The keys that a contract knows. Any other key of a document is the server's own text, a token as the key of a map for
/// instance, and appears in no fault.
public struct DeclaredKeys: Sendable {
    private let names: StaticString

    /// - Parameter names: the keys, with white space between them.
    public init(_ names: StaticString) { self.names = names }

    /// Whether a key is one of these. Asked only when a fault is reported, so there is no table.
    func contains(_ key: String) -> Bool {
        names.withUTF8Buffer { bytes in
            bytes.split { $0 == ASCII.space || $0 == ASCII.lineFeed }.contains { $0.elementsEqual(key.utf8) }
        }
    }
}
