import ErrandRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
/// Switches the echo of a terminal off while a password is typed (`termios(3)`), and on again afterwards: also when a signal ends
/// the process, or when it exits.
enum TerminalEcho {
    /// The signals that end a process by default and that a person or a system sends: Ctrl-C, Ctrl-\, a closed window, `kill`.
    static let signals = [SIGINT, SIGQUIT, SIGHUP, SIGTERM]

    #if canImport(Darwin)
    private static let stopping = [VSUSP, VDSUSP]
    /// `_POSIX_VDISABLE`: no key has the function.
    private static let disabled: UInt8 = 0xFF
    #else
    private static let stopping = [VSUSP]
    private static let disabled: UInt8 = 0
    #endif

    private static let lock = LockedState<Void> { () }

    /// What a signal handler needs. It is at a fixed address in memory that is never freed, because a handler has no context and
    /// may not allocate, lock or retain.
    struct Saved {
        var file: Int32
        var mode: termios
        /// 1 while the echo is off.
        var isHidden: sig_atomic_t
        /// The actions that were in place before, in the order of `signals`.
        var actions: UnsafeMutablePointer<sigaction>
    }

    /// Hides what is typed. Typed input that hasn't been read is dropped, so that it is not taken for a password.
    ///
    /// - Returns: false if it isn't a terminal, or if the terminal refuses.
    static func hide(_ file: Int32) -> Bool { lock.withLock { _ in hideLocked(file) } }

    private static func hideLocked(_ file: Int32) -> Bool {
        guard let saved = UnsafeMutablePointer<Saved>(bitPattern: savedAddress), saved.pointee.isHidden == 0 else {
            return false
        }
        var mode = termios()
        guard tcgetattr(file, &mode) == 0 else { return false }
        saved.pointee.file = file
        saved.pointee.mode = mode
        mode.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
        // The end of the line is shown, so that the next text begins on a line of its own.
        mode.c_lflag |= tcflag_t(ECHONL)
        // Ctrl-Z would stop the process and leave the shell without an echo.
        withUnsafeMutableBytes(of: &mode.c_cc) { characters in
            for character in stopping { characters[Int(character)] = disabled }
        }
        catchSignals(saved)
        saved.pointee.isHidden = 1
        guard tcsetattr(file, TCSAFLUSH, &mode) == 0 else {
            restoreLocked()
            return false
        }
        return true
    }

    /// Shows what is typed again. Nothing happens if it isn't hidden.
    static func restore() { lock.withLock { _ in restoreLocked() } }

    private static func restoreLocked() {
        guard let saved = UnsafeMutablePointer<Saved>(bitPattern: savedAddress), saved.pointee.isHidden != 0 else {
            return
        }
        restoreMode(saved)
        for (index, signal) in signals.enumerated() { sigaction(signal, saved.pointee.actions + index, nil) }
    }

    private static func catchSignals(_ saved: UnsafeMutablePointer<Saved>) {
        for (index, signal) in signals.enumerated() {
            var action = sigaction()
            action.plainHandler = handleSignal
            sigaction(signal, nil, saved.pointee.actions + index)
            // A process that ignores the signal goes on ignoring it (`nohup`).
            let isIgnored = unsafeBitCast(saved.pointee.actions[index].plainHandler, to: Int.self) == ignored
            if !isIgnored { sigaction(signal, &action, nil) }
        }
    }

    /// `SIG_IGN`, on all of these systems.
    private static let ignored = 1
}

extension sigaction {
    /// The handler that takes the signal's number alone.
    fileprivate var plainHandler: (@convention(c) (Int32) -> Void)? {
        get {
            #if canImport(Darwin)
            __sigaction_u.__sa_handler
            #elseif canImport(Glibc)
            __sigaction_handler.sa_handler
            #else
            __sa_handler.sa_handler
            #endif
        }
        set {
            #if canImport(Darwin)
            __sigaction_u.__sa_handler = newValue
            #elseif canImport(Glibc)
            __sigaction_handler.sa_handler = newValue
            #else
            __sa_handler.sa_handler = newValue
            #endif
        }
    }
}

/// Where the state is. An address is a constant, which a signal handler may read.
private let savedAddress: UInt = {
    let saved = UnsafeMutablePointer<TerminalEcho.Saved>.allocate(capacity: 1)
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: TerminalEcho.signals.count)
    actions.initialize(repeating: sigaction(), count: TerminalEcho.signals.count)
    saved.initialize(to: TerminalEcho.Saved(file: -1, mode: termios(), isHidden: 0, actions: actions))
    atexit { TerminalEcho.restore() }
    return UInt(bitPattern: saved)
}()

private func restoreMode(_ saved: UnsafeMutablePointer<TerminalEcho.Saved>) {
    tcsetattr(saved.pointee.file, TCSANOW, &saved.pointee.mode)
    saved.pointee.isHidden = 0
}

/// Shows the typed text again, and then does what the signal does without this handler. It calls only functions that may be called in a
/// handler (POSIX.1-2017, section 2.4.3).
private func handleSignal(_ signal: Int32) {
    guard let saved = UnsafeMutablePointer<TerminalEcho.Saved>(bitPattern: savedAddress) else { return }
    if saved.pointee.isHidden != 0 { restoreMode(saved) }
    let index: Int
    switch signal {
    case SIGINT: index = 0
    case SIGQUIT: index = 1
    case SIGHUP: index = 2
    default: index = 3
    }
    sigaction(signal, saved.pointee.actions + index, nil)
    kill(getpid(), signal)
}
#else
/// No echo can be switched off on this system, so no password is asked for.
enum TerminalEcho {
    static func hide(_ file: Int32) -> Bool { false }
    static func restore() {}
}
#endif
