#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A small file that its owner alone may read, and that is replaced as a whole: a reader finds the
/// old bytes or the new ones, also after the power failed.
package struct PrivateFile: Sendable {
    let path: String
    /// More than any session has, so that nothing endless is read.
    package static let maximumSize = 1 << 20

    package init(path: String) { self.path = path }

    var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var name: Substring { path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...] }

    /// The prefix of the names of draft files, which later replace this file.
    private var draftPrefix: String { name + ".new-" }

    /// The bytes; nil if the file doesn't exist.
    package func read() throws(SessionStoreError) -> [UInt8]? {
        // A pipe or a device would make the call wait.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw .symbolicLink
            default: throw .last("open")
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_uid == geteuid() else { throw .foreignOwner }
        let mode = Int(status.st_mode & 0o777)
        guard mode & 0o077 == 0 else { throw .openToOthers(mode: mode) }
        guard status.st_size <= Self.maximumSize else { throw .unreadable }
        return try bytes(of: descriptor)
    }

    /// How long a draft is left alone. Writing one takes milliseconds, but a process may be stopped meanwhile.
    static let draftLifetime = 600

    /// Replaces the file, or creates it. Drafts of processes that ended in the middle of this are removed when they are old.
    package func replace(with bytes: [UInt8]) throws(SessionStoreError) {
        // The process number alone does not identify the owner: processes of several machines or containers may share the folder.
        let draft = "\(folder)/\(draftPrefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
        do throws(SessionStoreError) {
            try fill(descriptor, with: bytes)
            // By the clock that stamps the drafts: on a network file system, that is the server's.
            if let now = Self.changed(draft) { removeDrafts(at: now) }
            guard rename(draft, path) == 0 else { throw SessionStoreError.last("rename") }
        } catch {
            unlink(draft)
            throw error
        }
        synchronizeFolder()
    }

    /// Removes the file, and old drafts.
    package func remove() throws(SessionStoreError) {
        removeDrafts(at: time(nil))
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw .last("unlink") }
        synchronizeFolder()
    }

    /// Removes the drafts of processes that ended in the middle of `replace`. Another process may be writing a draft at this
    /// moment, and no lock excludes it on every file system. So only the age shows that a draft has no owner.
    private func removeDrafts(at now: time_t) {
        for found in SystemFile.names(in: folder) where found.hasPrefix(draftPrefix) {
            let draft = "\(folder)/\(found)"
            if let changed = Self.changed(draft), now - changed > Self.draftLifetime { unlink(draft) }
        }
    }

    /// When a file was written last, in seconds since 1970.
    private static func changed(_ path: String) -> time_t? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        return status.st_mtimespec.tv_sec
        #else
        return status.st_mtim.tv_sec
        #endif
    }

    /// Makes the folder, only for its owner, if it doesn't exist. An existing one must belong to the same user.
    package func prepareFolder() throws(SessionStoreError) {
        if ["", ".", ".."].contains(name) { throw .notAFile }
        try Self.makeFolder(folder)
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .last("stat") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(call: "stat", code: Int(ENOTDIR)) }
        let mode = Int(status.st_mode & 0o7777)
        // With the sticky bit, no user can rename or remove what belongs to others (as in `/tmp`).
        guard mode & 0o022 == 0 || mode & 0o1000 != 0 else { throw .folderOpenToOthers(mode: mode) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .foreignOwner }
    }

    private static func makeFolder(_ path: String) throws(SessionStoreError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        // Some systems say that a folder is not writable before they say that it is there.
        let problem = SessionStoreError.last("mkdir")
        if access(path, F_OK) == 0 { return }
        guard problem == .system(call: "mkdir", code: Int(ENOENT)), let slash = path.lastIndex(of: "/"),
            slash != path.startIndex
        else { throw problem }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last("mkdir") }
    }

    // MARK: Descriptors

    private func bytes(of descriptor: Int32) throws(SessionStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= Self.maximumSize {
            let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0) }
            if count == 0 { return bytes }
            if count > 0 {
                bytes += buffer[..<count]
            } else if errno != EINTR {
                throw .last("read")
            }
        }
        throw .unreadable
    }

    /// Writes all bytes, down to the disk, and closes.
    private func fill(_ descriptor: Int32, with bytes: [UInt8]) throws(SessionStoreError) {
        var problem: SessionStoreError?
        // Whatever the process has set as its mask.
        if fchmod(descriptor, 0o600) != 0 { problem = .last("fchmod") }
        if problem == nil, !SystemFile.writeAll(bytes, to: descriptor) { problem = .last("write") }
        if problem == nil, !synchronize(descriptor) { problem = .last("fsync") }
        // A full disk may show only here.
        if close(descriptor) != 0, problem == nil { problem = .last("close") }
        if let problem { throw problem }
    }

    /// The new name has to reach the disk too. Where folders cannot be synchronized, nothing is lost but that.
    private func synchronizeFolder() {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = synchronize(descriptor)
        close(descriptor)
    }

    private func synchronize(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        // There `fsync` alone leaves the bytes in the cache of the drive. Not every file system knows better.
        if fcntl(descriptor, F_FULLFSYNC) != -1 { return true }
        #endif
        return fsync(descriptor) == 0
    }
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
