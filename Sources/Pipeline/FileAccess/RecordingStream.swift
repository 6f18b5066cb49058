import Diagnostics

/// Reads a recording of any size, a chunk at a time.
enum RecordingStream {
    /// - Returns: why it cannot be read; nil after all of it was.
    static func read(
        _ path: String, in boundary: ProjectBoundary, _ take: (UnsafeRawBufferPointer) -> Void
    ) -> Diagnostic? {
        do {
            if path == Replay.standardInput {
                try SystemCall.readStandardInput(take)
                return nil
            }
            if let refusal = boundary.refusal(ofReadingNamed: path) { return refusal }
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
            case .file, .link:
                try SystemCall.readChunks(of: path, take)
                return nil
            }
        } catch {
            return Diagnostic(
                rule: .unreadableFile, message: "`\(path)` cannot be read: \(error.text)", file: path)
        }
    }
}
