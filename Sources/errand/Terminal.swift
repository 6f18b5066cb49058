import Foundation

/// Where text goes, and whether a person is looking at it.
enum Terminal {
    enum Stream {
        case output, errors

        var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
        var isTerminal: Bool { isatty(descriptor) == 1 }
    }

    static func print(_ text: String, to stream: Stream) {
        let handle = stream == .output ? FileHandle.standardOutput : FileHandle.standardError
        // A reader that went away, as `head` does, is no error of ours.
        try? handle.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }

    /// Overwrites the line that the cursor is in.
    static func showProgress(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
    }

    static func clearProgress() { showProgress("") }
}

/// When text is coloured.
enum ColourChoice: String, CaseIterable {
    case auto, always, never

    /// The user's word counts, then `NO_COLOR` (any value but none), then whether it is a terminal.
    func isOn(for stream: Terminal.Stream) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            let refusal = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
            return refusal.isEmpty && stream.isTerminal
        }
    }
}
