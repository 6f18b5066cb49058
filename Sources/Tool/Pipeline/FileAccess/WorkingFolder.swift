import Diagnostics

/// The folder that relative paths begin at.
enum WorkingFolder {
    /// Makes a folder the working folder; returns the reason if that fails.
    static func enter(_ path: String) -> Diagnostic? {
        do {
            try SystemCall.enter(path)
            return nil
        } catch {
            return Diagnostic(
                rule: .missingFile, message: "the folder `\(path)` cannot be used: \(error.text)", file: path)
        }
    }
}
