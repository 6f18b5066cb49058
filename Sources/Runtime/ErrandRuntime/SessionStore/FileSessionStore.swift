/// Keeps the session in a file that only its owner can read (mode 0600), for servers, command line tools and tests. On Apple's
/// systems an app does better with `KeychainSessionStore`, because a file is part of backups.
///
/// The file is replaced as a whole. The store ignores a file that others may read, that belongs to another user, that is a
/// symbolic link or that doesn't hold a session. `problem` then gives the reason, and the next session replaces the file.
///
/// A symbolic link in the place of the lock file is replaced. If the system refuses that, the store keeps nothing.
///
/// Processes that share the path share the session. A renewal holds a lock on a file next to it (`.lock` is appended), and
/// reads the session again before it sends a request. The kernel releases the lock when a process ends for any reason. One loss
/// cannot be prevented by a lock: if a process ends after the server has rotated the refresh token, and before the response is
/// on the disk, the new token is lost.
///
/// There are two limits. `flock(2)` does not exclude other processes on every network file system: the file then still has one
/// complete session or the other, but two processes may renew the session at the same time. iOS ends an app that is suspended while it holds a lock in a
/// container that it shares.
public actor FileSessionStore: SessionStore {
    public nonisolated var isShared: Bool { true }

    private let file: PrivateFile
    private let lockWait: FileLockWait
    /// How many renewals of this store are under way. What they save waits for no lock: it is theirs.
    private var renewals = 0
    private var isLocked = false
    /// Why the renewal under way has no lock.
    private var lockProblem: SessionStoreError?
    /// Whether the file was there when it was last looked at: if it is missing then, another process has removed it.
    private var wasKept = false
    private var known = KnownLogin()
    /// The problem of the last load, save or renewal; nil if it succeeded. A save in a renewal without a lock has the lock's
    /// problem, although it keeps the session.
    public private(set) var problem: SessionStoreError?

    /// - Parameters:
    ///   - path: the file. A relative path starts at the working folder, and `~` has no special meaning. The store creates a
    ///     missing folder (mode 0700). No other user may have write permission to an existing folder.
    ///   - patience: how long to wait for another process to renew the session. It should be longer than the deadline of the
    ///     refresh command. After this time the renewal continues without the lock, because a process that was stopped while it
    ///     held the lock must not stop all others.
    ///   - clock: waits between two looks at the lock.
    public init(
        path: String, patience: Duration = .seconds(120), clock: some Clock<Duration> = ContinuousClock()
    ) {
        file = PrivateFile(path: path)
        lockWait = FileLockWait(path: path + ".lock", patience: patience, time: Timekeeper(clock))
    }

    /// A store with another system call for the lock.
    ///
    /// - Parameter lock: takes a descriptor and an operation of `flock(2)`, and returns what that returns.
    package init(path: String, patience: Duration = .seconds(120), lock: @escaping @Sendable (Int32, Int32) -> Int32) {
        file = PrivateFile(path: path)
        lockWait = FileLockWait(
            path: path + ".lock", patience: patience, time: Timekeeper(ContinuousClock()), call: lock)
    }

    public func load() async -> SessionTokens? {
        problem = nil
        let latest = look()
        known.note(latest)
        if case .tokens(let tokens) = latest { return tokens }
        return nil
    }

    public func save(_ tokens: SessionTokens?) async {
        problem = nil
        var lock: FileLock?
        do throws(SessionStoreError) {
            try file.prepareFolder()
            // If another process is renewing the session, this save comes after it and wins.
            lock = try await lockWait.take(unless: { renewals > 0 })
            if lock == nil, !isLocked { problem = lockProblem }
        } catch {
            problem = error
        }
        defer { lock?.release() }
        wasKept = false
        if problem == .symbolicLink { return }
        // A process that cannot have the lock, in time or at all, saves nevertheless: the file is replaced as a whole.
        do throws(SessionStoreError) {
            if let tokens {
                try file.prepareFolder()
                guard let bytes = tokens.keptBytes else { throw .unreadable }
                try file.replace(with: bytes)
                wasKept = true
                known.note(.tokens(tokens))
            } else if !known.isReplaced(by: (try? file.read()).flatMap { SessionTokens(kept: $0) }) {
                try file.remove()
            }
        } catch {
            problem = error
        }
    }

    public func exclusively<Value: Sendable>(
        _ renew: @Sendable (_ latest: KeptSession) async -> Value
    ) async -> Value {
        problem = nil
        var lock: FileLock?
        var refusal: SessionStoreError?
        do throws(SessionStoreError) {
            try file.prepareFolder()
            lock = try await lockWait.take()
        } catch {
            refusal = error
        }
        renewals += 1
        if lock != nil { isLocked = true } else { lockProblem = refusal }
        let latest = look()
        known.note(latest)
        let value = await renew(latest)
        renewals -= 1
        if let lock {
            isLocked = false
            lock.release()
        }
        if renewals == 0 { lockProblem = nil }
        // What the renewal has saved may have a problem of its own.
        problem = problem ?? refusal
        return value
    }

    private func look() -> KeptSession {
        do throws(SessionStoreError) {
            guard let bytes = try file.read() else { return wasKept ? .ended : .unknown }
            guard let tokens = SessionTokens(kept: bytes) else { throw .unreadable }
            wasKept = true
            return .tokens(tokens)
        } catch {
            problem = error
            return .unknown
        }
    }
}

extension SessionStore where Self == FileSessionStore {
    /// A file that its owner alone may read, shared by all processes that name the same path.
    public static func file(_ path: String) -> FileSessionStore { FileSessionStore(path: path) }
}
