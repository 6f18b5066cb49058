#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An advisory lock between processes (`flock(2)`). The kernel gives it back when its holder ends, however
/// that comes about.
struct FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, without waiting.
    ///
    /// - Parameter path: a file of its own, which is created if it doesn't exist, and stays.
    /// - Returns: nil while another process, or another lock of this process, holds it.
    static func take(_ path: String) throws(SessionStoreProblem) -> FileLock? {
        while true {
            // Closed when another program is started: a child would hold the lock for as long as it runs.
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw errno == ELOOP ? .symbolicLink : .last("open") }
            let lock = FileLock(descriptor: descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let problem = SessionStoreProblem.last("flock")
                let isHeld = errno == EWOULDBLOCK
                lock.release()
                if isHeld { return nil }
                if problem == .system(call: "flock", code: Int(EINTR)) { continue }
                throw problem
            }
            do throws(SessionStoreProblem) {
                if try lock.isStill(at: path) { return lock }
            } catch {
                lock.release()
                throw error
            }
            // Removed or replaced between the two calls: others would lock another file.
            lock.release()
        }
    }

    /// Gives the lock back. Once only: the number may be another file's afterwards.
    func release() { close(descriptor) }

    private func isStill(at path: String) throws(SessionStoreProblem) -> Bool {
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

extension SessionStoreProblem {
    /// The last error of the system.
    static func last(_ call: String) -> SessionStoreProblem { .system(call: call, code: Int(errno)) }
}

/// The wait for a lock. It looks again and again rather than block the thread, which is one of few.
struct FileLockWait: Sendable {
    let path: String
    /// After this, no caller waits any longer.
    let patience: Duration
    let time: Timekeeper

    private static let firstPause = Duration.milliseconds(2)
    private static let longestPause = Duration.milliseconds(100)

    /// Takes the lock as soon as it is free.
    ///
    /// - Parameter isNeedless: asked before every look; if it returns true, nil is returned.
    /// - Throws: `busy` if the patience is over, or if the task was cancelled.
    func take(
        isolation: isolated (any Actor)? = #isolation, unless isNeedless: () -> Bool = { false }
    ) async throws(SessionStoreProblem) -> FileLock? {
        var waited = Duration.zero
        var pause = Self.firstPause
        while !isNeedless() {
            if let lock = try FileLock.take(path) { return lock }
            guard waited < patience, await time.sleep(for: pause) else { throw .busy }
            waited += pause
            pause = min(pause * 2, Self.longestPause)
        }
        return nil
    }
}
