#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a run ends, for the shell.
package enum ExitStatus: Int32, Error {
    case fine = 0
    /// Findings in contracts, or output that is not current.
    case findings = 1
    case couldNotRun = 2
}

extension ExitStatus {
    /// The exit status of a language server that ends without a `shutdown` request (LSP 3.17, `exit`).
    package static let notShutDown = ExitStatus.findings
}

package func endProcess(with status: ExitStatus) -> Never {
    exit(status.rawValue)
}

/// Standard output and standard error.
package enum Console {
    package static func out(_ text: String) { write(text + "\n", to: 1) }

    package static func complain(_ text: String) { write(text + "\n", to: 2) }

    /// Text on standard error without a line break, for the progress line.
    package static func complain(unfinished text: String) { write(text, to: 2) }

    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: Messages

    package static func out(_ bytes: [UInt8]) { write(bytes, to: 1) }

    /// Reads from standard input, and waits at most so many milliseconds, or without a limit. `nil` at the end of the input, and
    /// empty if nothing arrived in time.
    package static func input(waitingAtMost milliseconds: Int32?) -> [UInt8]? {
        var standardInput = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        let ready = poll(&standardInput, 1, milliseconds ?? -1)
        guard ready > 0 else { return ready == 0 || errno == EINTR ? [] : nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = buffer.withUnsafeMutableBytes { systemRead(0, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// A client that has gone away is found where its stream ends, and not by a signal.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    /// A reader that closed its end (`errand … | head`) doesn't cause an error.
    private static func write(_ all: [UInt8], to descriptor: Int32) {
        var bytes = all[...]
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

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
