import Diagnostics

/// Stands for a text or a body of a client of any length. Two with the same fingerprint are the same, as far as a mock server can tell.
struct Fingerprint: Hashable, Sendable {
    private let hash: UInt64
    private let count: Int

    init(_ parts: [some Collection<UInt8>]) {
        var hash = StableHash.start
        var count = 0
        for part in parts {
            // A byte that UTF-8 does not have is between two parts.
            hash = StableHash.of(CollectionOfOne(0xFF), from: StableHash.of(part, from: hash))
            count += part.count
        }
        self.hash = hash
        self.count = count
    }

    init(_ texts: String...) { self.init(texts.map { Array($0.utf8) }) }
}
