@testable import Diagnostics

extension FindingKind {
    /// A kind for tests of what does not depend on it.
    static func sample(_ name: String) -> FindingKind { FindingKind(name, finds: "Something.", why: "It is a test.") }
}
