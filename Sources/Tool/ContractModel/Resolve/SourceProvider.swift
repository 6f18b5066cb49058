import Diagnostics

/// Where the bytes of contracts come from. The shell of the tool reads files; tests and editors hand over text.
///
/// Architecture invariant: nothing in this target touches the disk.
package protocol SourceProvider {
    func read(_ path: String) -> SourceReading
}

/// The result of reading a file.
package enum SourceReading: Sendable {
    case bytes([UInt8])
    /// The file cannot be read; the rule, message and help of the diagnostic that reports it.
    case failure(rule: FindingKind, message: String, help: String?)
}
