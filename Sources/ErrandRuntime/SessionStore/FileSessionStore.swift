/// Keeps the session in a file that its owner alone may read (mode 0600), for servers, command line tools
/// and tests. On Apple's systems an app does better with `KeychainSessionStore`: a file is part of backups.
///
/// The file is replaced as a whole. A file that others may read, that belongs to another user, that is a
/// symbolic link or that doesn't hold a session is ignored, and `problem` says why; the next session takes
/// its place.
///
/// Processes that share the path share the session: a renewal holds a lock on a file beside it (`.lock` is
/// appended), and reads the session again before it sends anything. The kernel gives the lock back when a
/// process ends, however that comes about. What no lock can mend: a process that ends after the server has
/// rotated the refresh token, and before the answer is on the disk, takes the new token with it.
///
/// Two limits: `flock(2)` is not to be relied on over NFS, and iOS ends an app that is suspended while it
/// holds a lock in a container that it shares.
public actor FileSessionStore: SessionStore {
    public nonisolated var isShared: Bool { true }

    private let file: PrivateFile
    private let lockWait: FileLockWait
    /// How many renewals of this store are under way. What they save waits for no lock: it is theirs.
    private var renewals = 0
    private var isLocked = false
    /// Whether the file was there when it was last looked at: if it is missing then, another process has removed it.
    private var wasKept = false
    /// What was wrong the last time something was loaded or saved; nil where nothing was.
    public private(set) var problem: SessionStoreProblem?

    /// - Parameters:
    ///   - path: the file. A relative one starts at the working folder, and `~` means nothing. Its folder is
    ///     made where it is missing (mode 0700); no other user may have the right to write to an existing one.
    ///   - patience: how long to wait for another process to renew the session. It should be longer than
    ///     the deadline of the refresh command. Then the renewal goes on without the lock: a process that
    ///     was stopped while it held it must not stop all others.
    ///   - clock: waits between two looks at the lock.
    public init(
        path: String, patience: Duration = .seconds(120), clock: some Clock<Duration> = ContinuousClock()
    ) {
        file = PrivateFile(path: path)
        lockWait = FileLockWait(path: path + ".lock", patience: patience, time: Timekeeper(clock))
    }

    public func load() async -> SessionTokens? {
        problem = nil
        guard case .tokens(let tokens) = look() else { return nil }
        return tokens
    }

    public func save(_ tokens: SessionTokens?) async {
        problem = nil
        var lock: FileLock?
        do throws(SessionStoreProblem) {
            try file.prepareFolder()
            // If another process is renewing the session, this save comes after it and wins.
            lock = try await lockWait.take(unless: { renewals > 0 })
        } catch {
            problem = error
        }
        defer { lock?.release() }
        wasKept = false
        // A process that cannot have the lock, in time or at all, saves nevertheless: the file is replaced as a whole.
        do throws(SessionStoreProblem) {
            if lock != nil || isLocked { file.removeDrafts() }
            if let tokens {
                try file.prepareFolder()
                guard let bytes = tokens.keptBytes else { throw .unreadable }
                try file.replace(with: bytes)
                wasKept = true
            } else {
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
        do throws(SessionStoreProblem) {
            try file.prepareFolder()
            lock = try await lockWait.take()
        } catch {
            problem = error
        }
        renewals += 1
        if lock != nil { isLocked = true }
        let value = await renew(look())
        renewals -= 1
        if let lock {
            isLocked = false
            lock.release()
        }
        return value
    }

    private func look() -> KeptSession {
        do throws(SessionStoreProblem) {
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
