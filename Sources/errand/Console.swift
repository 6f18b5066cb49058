#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a run ends, for the shell.
enum ExitStatus: Int32, Error {
    case fine = 0
    /// Findings in contracts, or output that is not current.
    case findings = 1
    case couldNotRun = 2
}

func endProcess(with status: ExitStatus) -> Never {
    exit(status.rawValue)
}

/// Standard output and standard error.
enum Console {
    static func out(_ text: String) { write(text + "\n", to: 1) }

    static func complain(_ text: String) { write(text + "\n", to: 2) }

    /// Text on standard error without a line break, for the progress line.
    static func complain(unfinished text: String) { write(text, to: 2) }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// A reader that closed its end (`errand … | head`) is no reason to complain.
    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
