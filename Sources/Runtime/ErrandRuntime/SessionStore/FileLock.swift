#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An advisory lock between processes (`flock(2)`). The kernel gives it back when its holder ends, however
/// that comes about.
package struct FileLock: Sendable {
    /// The system's call, with the descriptor and the operation. Tests replace it by one that excludes no other process, as
    /// `flock` is on some network file systems.
    package typealias SystemCall = @Sendable (Int32, Int32) -> Int32

    private let descriptor: Int32

    /// Takes the lock, without waiting. A symbolic link in the place of the file is replaced, and not followed.
    ///
    /// - Parameter path: a file of its own, which is created if it doesn't exist, and stays.
    /// - Returns: nil while another process, or another lock of this process, holds it.
    /// - Throws: `symbolicLink` if there is a link that cannot be replaced.
    package static func take(
        _ path: String, by call: SystemCall = { flock($0, $1) }
    ) throws(SessionStoreError) -> FileLock? {
        var replaced = 0
        while true {
            // Closed when another program is started: a child would hold the lock for as long as it runs.
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            if descriptor < 0, errno == ELOOP, replaced < maximumReplacements {
                replaced += 1
                guard try removeLink(path, by: call) else { return nil }
                continue
            }
            guard descriptor >= 0 else { throw errno == ELOOP ? .symbolicLink : .last("open") }
            let lock = FileLock(descriptor: descriptor)
            guard try lock.isTaken(by: call) else { return nil }
            do throws(SessionStoreError) {
                if try lock.isStill(at: path) { return lock }
            } catch {
                lock.release()
                throw error
            }
            // Removed or replaced between the two calls: others would lock another file.
            lock.release()
        }
    }

    /// Takes the lock of a folder itself, without waiting and without a file.
    ///
    /// - Returns: nil while another process, or another lock of this process, holds it.
    package static func take(
        folder: String, by call: SystemCall = { flock($0, $1) }
    ) throws(SessionStoreError) -> FileLock? {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw .last("open") }
        let lock = FileLock(descriptor: descriptor)
        return try lock.isTaken(by: call) ? lock : nil
    }

    /// How many links are replaced in one call. A process that puts them back again and again must not keep this one busy.
    private static let maximumReplacements = 8

    /// Removes a symbolic link at the path. Processes do this one at a time, under a lock of the folder: the second one would
    /// remove the file that the first one has put in the link's place, and that it holds its lock on.
    ///
    /// - Returns: false while another process holds the folder's lock.
    private static func removeLink(_ path: String, by call: SystemCall) throws(SessionStoreError) -> Bool {
        var lock: FileLock?
        do throws(SessionStoreError) {
            lock = try take(folder: PrivateFile(path: path).folder, by: call)
        } catch {
            throw .symbolicLink
        }
        guard let lock else { return false }
        defer { lock.release() }
        var found = stat()
        guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFLNK else { return true }
        guard unlink(path) == 0 || errno == ENOENT else { throw .symbolicLink }
        return true
    }

    /// Locks the descriptor, or closes it.
    private func isTaken(by call: SystemCall) throws(SessionStoreError) -> Bool {
        while call(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let problem = SessionStoreError.last("flock")
            let isHeld = errno == EWOULDBLOCK
            release()
            if isHeld { return false }
            throw problem
        }
        return true
    }

    /// Gives the lock back. Once only: the number may be another file's afterwards.
    package func release() { close(descriptor) }

    private func isStill(at path: String) throws(SessionStoreError) -> Bool {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw .last("fstat") }
        guard own.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard own.st_uid == geteuid() else { throw .foreignOwner }
        var found = stat()
        guard lstat(path, &found) == 0 else {
            if errno == ENOENT { return false }
            throw .last("lstat")
        }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }
}

extension SessionStoreError {
    /// The last error of the system.
    package static func last(_ call: String) -> SessionStoreError {
        let code = Int(errno)
        return SystemFile.isFull(code) ? .storageFull : .system(call: call, code: code)
    }
}

/// The wait for a lock. It looks again and again rather than block the thread, which is one of few.
struct FileLockWait: Sendable {
    let path: String
    /// After this, no caller waits any longer.
    let patience: Duration
    let time: Timekeeper
    var call: FileLock.SystemCall = { flock($0, $1) }

    private static let firstPause = Duration.milliseconds(2)
    private static let longestPause = Duration.milliseconds(100)

    /// Takes the lock as soon as it is free.
    ///
    /// - Parameter isNeedless: asked before every look; if it returns true, nil is returned.
    /// - Throws: `busy` if the patience is over, or if the task was cancelled.
    func take(
        isolation: isolated (any Actor)? = #isolation, unless isNeedless: () -> Bool = { false }
    ) async throws(SessionStoreError) -> FileLock? {
        var waited = Duration.zero
        var pause = Self.firstPause
        while !isNeedless() {
            if let lock = try FileLock.take(path, by: call) { return lock }
            guard waited < patience, await time.sleep(for: pause) else { throw .busy }
            waited += pause
            pause = min(pause * 2, Self.longestPause)
        }
        return nil
    }
}
