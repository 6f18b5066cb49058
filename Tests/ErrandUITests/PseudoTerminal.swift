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
        let controller = openTerminal(O_RDWR | O_NOCTTY)
        try #require(controller >= 0 && grantTerminal(controller) == 0 && unlockTerminal(controller) == 0)
        let name = try #require(nameOfTerminal(controller).map { String(cString: $0) })
        let device = systemOpen(name)
        try #require(device >= 0)
        return (controller, device)
    }

    /// Whether the terminal shows what is typed.
    static func echoes(_ device: Int32) -> Bool {
        var mode = termios()
        return tcgetattr(device, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }
}

private func systemOpen(_ name: String) -> Int32 { open(name, O_RDWR | O_NOCTTY) }

// The Swift module of the C library leaves these out on Linux (POSIX.1-2017, posix_openpt and what belongs to it).
@_silgen_name("posix_openpt") private func openTerminal(_ flags: Int32) -> Int32
@_silgen_name("grantpt") private func grantTerminal(_ file: Int32) -> Int32
@_silgen_name("unlockpt") private func unlockTerminal(_ file: Int32) -> Int32
@_silgen_name("ptsname") private func nameOfTerminal(_ file: Int32) -> UnsafeMutablePointer<CChar>?
