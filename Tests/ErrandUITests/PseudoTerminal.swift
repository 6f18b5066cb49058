import TestTerminal
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A terminal of the system's, of which a test has both ends.
enum PseudoTerminal {
    /// The end that a person sits at, and the end that a program has.
    static func open() throws -> (controller: Int32, device: Int32) {
        var device: Int32 = -1
        let controller = test_terminal_open(&device)
        try #require(controller >= 0)
        return (controller, device)
    }

    /// Whether the terminal shows what is typed.
    static func echoes(_ device: Int32) -> Bool {
        var mode = termios()
        return tcgetattr(device, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }
}
