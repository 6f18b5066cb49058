import Diagnostics

/// Reads a recording of any size, a chunk at a time.
package enum RecordingStream {
    /// The name of standard input as a recording.
    package static let standardInput = "-"

    /// Why a recording cannot be read; nil if nothing is known against it.
    package static func refusal(of path: String, in boundary: ProjectBoundary) -> Diagnostic? {
        if path == standardInput { return nil }
        if let refusal = boundary.refusal(ofReadingNamed: path) { return refusal }
        do {
            switch try SystemCall.kind(of: path) {
            case nil:
                return Diagnostic(rule: .missingFile, message: "there is no recording `\(path)`", file: path)
            case .folder:
                return Diagnostic(
                    rule: .folderAsFile, message: "`\(path)` is a folder, and not a recording", file: path,
                    help: "name a file in it")
            case .other:
                return Diagnostic(
                    rule: .noFile, message: "`\(path)` is a pipe or a device, and not a file", file: path,
                    help: "name a file, or `-` for standard input")
            case .file, .link: return nil
            }
        } catch {
            return unreadable(path, error)
        }
    }

    /// Reads to the end, or until `take` says that it needs no more.
    ///
    /// - Returns: why it cannot be read; nil after all of it was.
    package static func read(
        _ path: String, in boundary: ProjectBoundary, _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Diagnostic? {
        if let refusal = refusal(of: path, in: boundary) { return refusal }
        do {
            if path == standardInput {
                try SystemCall.readStandardInput(take)
            } else {
                try SystemCall.readChunks(of: path, take)
            }
            return nil
        } catch {
            return unreadable(path, error)
        }
    }

    private static func unreadable(_ path: String, _ error: SystemFailure) -> Diagnostic {
        Diagnostic(rule: .unreadableFile, message: "`\(path)` cannot be read: \(error.text)", file: path)
    }
}
