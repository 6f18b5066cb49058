/// Why a store keeps or gives no session. It never tells what is kept.
public enum SessionStoreError: Error, Sendable, Hashable {
    /// The path is a symbolic link, which another user may have put there.
    case symbolicLink
    /// Something other than a file is at the path.
    case notAFile
    /// The file, or its folder, belongs to another user.
    case foreignOwner
    /// Others may read or write the file. Its permissions, as `chmod` takes them: 0o644 for instance.
    case openToOthers(mode: Int)
    /// Others may write to the folder, and so put another file in the place of this one.
    case folderOpenToOthers(mode: Int)
    /// The stored data isn't a session: it is damaged, or belongs to another program.
    case unreadable
    /// Another process has held the lock for longer than the store waits.
    case busy
    /// The disk, or the user's share of it, is full.
    case storageFull
    /// The system refused a call. Its `errno` (POSIX.1-2024, `errno.h`).
    case system(call: String, code: Int)
    /// The keychain refused a call. Its `OSStatus` (Security framework, `SecBase.h`).
    case keychain(status: Int)
}

extension SessionStoreError: CustomStringConvertible {
    /// One line for a developer.
    public var description: String {
        switch self {
        case .symbolicLink: "the path is a symbolic link"
        case .notAFile: "something other than a file is at the path"
        case .foreignOwner: "the file or its folder belongs to another user"
        case .openToOthers(let mode): "others may read or write the file (mode \(octal(mode)), should be 0600)"
        case .folderOpenToOthers(let mode): "others may write to the folder (mode \(octal(mode)), should be 0700)"
        case .unreadable: "the stored data is not a session"
        case .busy: "another process holds the lock"
        case .storageFull: "the disk is full"
        case .system(let call, let code): "\(call) failed with errno \(code)"
        case .keychain(let status): "the keychain failed with status \(status)"
        }
    }

    private func octal(_ mode: Int) -> String { "0" + String(mode, radix: 8) }
}

extension TransportFault {
    /// The fault of an attempt whose request or response could not be kept on this device.
    ///
    /// It has a label, because both kinds of problems can be `unreadable`.
    package init(keeping problem: SessionStoreError, evidence: Evidence) {
        self.init(problem == .storageFull ? .storageFull : .storage, evidence: evidence, underlying: problem)
    }
}
