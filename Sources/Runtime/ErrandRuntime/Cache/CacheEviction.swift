#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The room that files take. It is counted at the first write of a process, and after each sixteenth of the limit that the process has
/// written since: other processes may write as well.
struct CacheEviction: Sendable {
    private struct State {
        /// How many bytes were written since the files were counted; nil if they never were.
        var written: Int?
        var isCounting = false
    }

    let root: String
    let limit: Int
    let willChange: @Sendable () -> Void
    /// Runs work that takes longer than a command may wait.
    let start: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = LockedState { State() }

    init(
        root: String, limit: Int, willChange: @escaping @Sendable () -> Void,
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.root = root
        self.limit = limit
        self.willChange = willChange
        self.start = start
    }

    /// Notes a file that was written.
    func note(_ size: Int) {
        let limit = limit
        let isDue = state.withLock { state in
            let written = state.written.map { $0 + size } ?? limit
            state.written = written
            guard written >= limit / 16, !state.isCounting else { return false }
            state.isCounting = true
            state.written = 0
            return true
        }
        guard isDue else { return }
        start { [self] in
            repeat { makeRoom() } while isDueAgain()
        }
    }

    /// Ends the count, unless a sixteenth was written during it.
    private func isDueAgain() -> Bool {
        state.withLock { state in
            state.isCounting = state.written ?? 0 >= limit / 16
            if state.isCounting { state.written = 0 }
            return state.isCounting
        }
    }

    private struct File {
        let path: String
        let size: Int
        /// The last use, in nanoseconds since 1970.
        let used: Int64
    }

    /// Removes the least recently used files if all of them take more than the limit, and old drafts.
    func makeRoom() {
        var total = 0
        each { _, file in total += file.size }
        guard total > limit else { return }
        var files: [File] = []
        each { _, file in files.append(file) }
        files.sort { $0.used < $1.used }
        // With a margin, so that not each response needs this.
        let wanted = limit - limit / 8
        for file in files where total > wanted {
            willChange()
            unlink(file.path)
            total -= file.size
        }
    }

    /// How long a draft is left alone, in seconds: it is written in milliseconds, but a process may be stopped meanwhile.
    private static let draftLifetime: Int64 = 600

    private func each(_ body: (_ name: String, _ file: File) -> Void) {
        let now = Int64(time(nil))
        for login in SystemFile.names(in: root) where !login.hasPrefix(".") && login != "marks" {
            for name in SystemFile.names(in: "\(root)/\(login)") where name != "." && name != ".." {
                let path = "\(root)/\(login)/\(name)"
                guard let file = Self.file(path) else { continue }
                if name.contains(CacheFile.draftMark), now - file.used / 1_000_000_000 > Self.draftLifetime {
                    unlink(path)
                    continue
                }
                body(name, file)
            }
        }
    }

    private static func file(_ path: String) -> File? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let used = status.st_mtimespec
        #else
        let used = status.st_mtim
        #endif
        // A file takes whole blocks of 512 bytes (POSIX.1-2024, `sys/stat.h`, with the unit that all systems have).
        return File(
            path: path, size: max(Int(status.st_size), Int(status.st_blocks) * 512),
            used: Int64(used.tv_sec) * 1_000_000_000 + Int64(used.tv_nsec))
    }
}
