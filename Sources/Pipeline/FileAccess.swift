#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The disk, as the tool uses it.
///
/// Architecture invariant: nothing else in the tool opens, lists, writes or removes a file. Every call says what went
/// wrong as a value that can be shown to a person.
package struct FileAccess: Sendable {
    package init() {}

    /// What stands at a path.
    package enum Kind: Sendable { case missing, file, folder, other }

    package func kind(of path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    // MARK: Reading

    package func read(_ path: String) -> Result<[UInt8], FileProblem> {
        if kind(of: path) == .folder {
            return .failure(FileProblem("file-is-a-folder", "`\(path)` is a folder, and a file is needed here", help: "Name a file in it."))
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(.reading(path, errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size > 0 { bytes.reserveCapacity(Int(status.st_size)) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return .success(bytes) }
            if count < 0 {
                if errno == EINTR { continue }
                return .failure(.reading(path, errno))
            }
            bytes += buffer[..<count]
        }
    }

    /// The first bytes of a file; none where it cannot be read.
    func firstBytes(of path: String, count: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: count)
        let length = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
        return Array(buffer.prefix(max(0, length)))
    }

    /// The names in a folder, in the order of their bytes.
    package func names(in folder: String) -> Result<[String], FileProblem> {
        guard let directory = opendir(folder) else { return .failure(.reading(folder, errno)) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return .success(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    // MARK: Writing

    /// Makes a folder and those above it.
    func makeFolder(_ path: String) -> FileProblem? {
        switch kind(of: path) {
        case .folder: return nil
        case .file, .other:
            return FileProblem("folder-is-a-file", "`\(path)` is a file, and a folder is needed here", help: "Remove it, or name another output folder.")
        case .missing: break
        }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex,
           let problem = makeFolder(String(path[..<slash])) { return problem }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { return .writing(path, errno) }
        return nil
    }

    /// Writes a whole file that nobody else looks at yet.
    func write(_ bytes: [UInt8], toNew path: String) -> FileProblem? {
        // What an earlier run left half done has this name too.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return .writing(path, errno) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written) }
            if count < 0 {
                if errno == EINTR { continue }
                let problem = FileProblem.writing(path, errno)
                close(descriptor)
                return problem
            }
            written += count
        }
        // A full disk may show itself only here.
        return close(descriptor) == 0 ? nil : .writing(path, errno)
    }

    /// Puts a file in another's place, at once.
    func move(_ path: String, to target: String) -> FileProblem? {
        rename(path, target) == 0 ? nil : .writing(target, errno)
    }

    func remove(_ path: String) -> FileProblem? {
        unlink(path) == 0 || errno == ENOENT ? nil : .writing(path, errno)
    }

    /// Removes a folder if nothing is in it.
    func removeEmptyFolder(_ path: String) { _ = rmdir(path) }
}

// The calls that a method of this type would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

/// Why a file could not be read or written, in the words of a diagnostic.
package struct FileProblem: Error, Sendable, Equatable {
    package let rule: String
    package let message: String
    package let help: String?

    init(_ rule: String, _ message: String, help: String? = nil) {
        self.rule = rule
        self.message = message
        self.help = help
    }

    static func reading(_ path: String, _ code: Int32) -> FileProblem {
        switch code {
        case ENOENT, ENOTDIR: FileProblem("file-missing", "there is no `\(path)`")
        case EACCES, EPERM: FileProblem("file-unreadable", "`\(path)` may not be read", help: "Change its permissions.")
        default: FileProblem("file-unreadable", "`\(path)` cannot be read: \(reason(code))")
        }
    }

    static func writing(_ path: String, _ code: Int32) -> FileProblem {
        switch code {
        case EACCES, EPERM, EROFS:
            FileProblem("output-not-writable", "`\(path)` may not be written", help: "Change the permissions, or name another output folder.")
        case ENOSPC, EDQUOT: FileProblem("disk-full", "there is no room left to write `\(path)`")
        default: FileProblem("output-not-writable", "`\(path)` cannot be written: \(reason(code))")
        }
    }

    private static func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
