#if Outbox
import ErrandDurable
import ErrandRuntime
import Foundation
import GRDB

extension OutboxStoreError {
    /// What an error of the database means.
    init(_ error: any Error) {
        switch error {
        case let known as OutboxStoreError: self = known
        case let error as DatabaseError: self.init(error)
        // The calls in use throw nothing else.
        default: self = .unreadable
        }
    }

    private init(_ error: DatabaseError) {
        switch error.resultCode {
        case .SQLITE_FULL: self = .storageFull
        // The log's index takes its room at once.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .storageFull
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_MISMATCH: self = .unreadable
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: self = .readOnly
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        default: self = .system(call: "sqlite", code: Int(EIO))
        }
    }

    /// What an error of a folder or of a lock means.
    init(_ error: SessionStoreError) {
        switch error {
        case .storageFull: self = .storageFull
        case .system(let call, let code): self = .refused(call, code)
        case .busy: self = .busy
        case .symbolicLink, .notAFile, .foreignOwner, .openToOthers, .folderOpenToOthers, .unreadable, .keychain:
            self = .unreadable
        }
    }

    /// The last error of the system.
    static func last(_ call: String) -> OutboxStoreError { refused(call, Int(errno)) }

    private static func refused(_ call: String, _ code: Int) -> OutboxStoreError {
        switch Int32(clamping: code) {
        case ENOSPC, EDQUOT: .storageFull
        case EROFS, EACCES, EPERM: .readOnly
        case ELOOP: .unreadable
        default: .system(call: call, code: code)
        }
    }
}
#endif
