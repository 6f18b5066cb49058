#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The calls of the system for files that need a loop.
package enum SystemFile {
    /// Writes all bytes to a descriptor, also in several calls.
    ///
    /// - Returns: false if the system refuses; `errno` has the reason.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// Whether an error number (POSIX.1-2024, `errno.h`) says that no room is left: on the disk, in the user's quota, or in a file
    /// of the largest size.
    static func isFull(_ code: Int) -> Bool {
        [ENOSPC, EDQUOT, EFBIG].contains { Int($0) == code }
    }

    /// The names in a folder, in no order; empty if it can't be read.
    package static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var found: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            found.append(name)
        }
        return found
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
