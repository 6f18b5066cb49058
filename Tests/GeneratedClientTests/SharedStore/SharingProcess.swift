import Foundation
import TestServices

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A run of `SessionSharer`, which is built beside the tests.
final class SharingProcess: Sendable {
    private let number: pid_t
    private let input: FileHandle
    private let lines: AsyncStream<String>

    init(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = try BuiltProgram.named("SessionSharer")
        process.arguments = arguments
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        // One that is ended reads no line any more.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        number = process.processIdentifier
        self.input = input.fileHandleForWriting
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let handle = output.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while case let piece = handle.availableData, !piece.isEmpty {
                rest += piece
                while let end = rest.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            continuation.finish()
        }
    }

    deinit { kill(number, SIGKILL) }

    /// Tells it to go on.
    func go() { tell("go") }

    /// Gives it a line of input.
    func tell(_ line: String) { try? input.write(contentsOf: Data((line + "\n").utf8)) }

    /// Gives it lines of input, and gives what it says to the last one of them; nil if it has ended before.
    func said(to lines: String...) async -> String? {
        var said: String?
        for line in lines {
            tell(line)
            said = await self.line()
        }
        return said
    }

    /// The next thing it says; nil if it has ended.
    func line() async -> String? { await lines.first { _ in true } }

    /// Ends it where it is, and waits until it has ended.
    func end() async {
        kill(number, SIGKILL)
        while await line() != nil {}
    }
}
