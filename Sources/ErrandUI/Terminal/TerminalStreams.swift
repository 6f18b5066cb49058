public import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Where a program for the terminal talks to a person: lines in, text out.
public struct TerminalStreams: Sendable {
    /// Writes text as it is.
    let write: @Sendable (String) -> Void
    /// The lines that a person types, without their ends; ends with the input.
    let lines: @Sendable () -> AsyncStream<String>
    /// Whether a person can be asked.
    let isInteractive: Bool
    /// How many columns a line has.
    let width: @Sendable () -> Int
    /// Hides what is typed, or shows it again. Returns false if the terminal refuses.
    let hideInput: @Sendable (_ isHidden: Bool) -> Bool

    /// - Parameters:
    ///   - isInteractive: whether a person can be asked. Otherwise output is plain lines and nothing is read.
    ///   - width: how many columns a line has.
    ///   - lines: the lines that are typed. Asked for once.
    ///   - write: writes text as it is.
    ///   - hideInput: hides what is typed from now on, or shows it again. It returns false if it can't, and no password is asked
    ///     for then. The default is for input that isn't shown anyway.
    public init(
        isInteractive: Bool, width: @escaping @Sendable () -> Int = { 80 },
        lines: @escaping @Sendable () -> AsyncStream<String>, write: @escaping @Sendable (String) -> Void,
        hideInput: @escaping @Sendable (_ isHidden: Bool) -> Bool = { _ in true }
    ) {
        self.isInteractive = isInteractive
        self.width = width
        self.lines = lines
        self.write = write
        self.hideInput = hideInput
    }

    /// Standard input and standard error.
    public static var standard: TerminalStreams {
        TerminalStreams(reading: FileHandle.standardInput, writing: FileHandle.standardError)
    }

    /// A person can be asked where both files are a terminal, and `TERM` is not `dumb`.
    public init(reading input: FileHandle, writing output: FileHandle) {
        let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
        self.init(
            isInteractive: isatty(input.fileDescriptor) == 1 && isatty(output.fileDescriptor) == 1 && !isDumb,
            width: { Self.columns(of: output.fileDescriptor) }, lines: { .of(input) },
            // A reader that has gone away must not end the program.
            write: { try? output.write(contentsOf: Data($0.utf8)) },
            hideInput: { isHidden in
                if isHidden { return TerminalEcho.hide(input.fileDescriptor) }
                TerminalEcho.restore()
                return true
            })
    }

    private static func columns(of file: Int32) -> Int {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

extension AsyncStream where Element == String {
    /// The lines of a file, read on a thread of their own: reading blocks. A line longer than 4 KiB is cut.
    static func of(_ file: FileHandle) -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let thread = Thread {
                var line: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                while true {
                    // Not the methods of `FileHandle`: they wait for a whole buffer, or end the process when a terminal hangs up.
                    let count = read(file.fileDescriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    for byte in buffer[..<count] {
                        if byte == UInt8(ascii: "\n") {
                            continuation.yield(String(decoding: line, as: UTF8.self))
                            line = []
                        } else if line.count < 4096 {
                            line.append(byte)
                        }
                    }
                }
                if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
                continuation.finish()
            }
            thread.start()
        }
    }
}
