#if canImport(Security)
import Foundation
import Security

/// Keeps the session in the keychain, as a generic password that never leaves the device and can be read from
/// the first unlock after a start on, in the background too.
///
/// On macOS it is the data protection keychain, which asks for a signed app. If the keychain fails, the
/// session stays in memory, and `problem` says why; what is kept is part of nothing that it prints.
///
/// An app and its extensions share the session through an access group. A renewal reads it again before it
/// sends anything; that no two of them renew it at the same time, a lock file in their shared container
/// sees to. (The system ends an app that is suspended while it holds one: renew in a background task.)
public actor KeychainSessionStore: SessionStore {
    /// Where other apps or extensions can have the item.
    public nonisolated let isShared: Bool

    private let service: String
    private let account: String
    private let accessGroup: String?
    private let lockWait: FileLockWait?
    /// Whether the item was there when it was last looked at: if it is missing then, another process has removed it.
    private var wasKept = false
    private var known = KnownLogin()
    /// The problem of the last load, save or renewal; nil if it succeeded.
    public private(set) var problem: SessionStoreError?

    /// - Parameters:
    ///   - service: the name of the item, usually the app's bundle identifier.
    ///   - account: tells sessions of one app apart.
    ///   - accessGroup: which apps share it (`keychain-access-groups` among the entitlements); nil for this one.
    ///   - lockPath: a file in a folder that all of them can write to; nil if only one process uses the item.
    ///   - patience: how long to wait for another process to renew the session.
    ///   - clock: waits between two looks at the lock.
    public init(
        service: String, account: String = "session", accessGroup: String? = nil, lockPath: String? = nil,
        patience: Duration = .seconds(120), clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        isShared = accessGroup != nil || lockPath != nil
        let time = Timekeeper(clock)
        lockWait = lockPath.map { FileLockWait(path: $0, patience: patience, time: time) }
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
        guard let tokens else {
            if isShared, case .tokens(let kept) = look(), known.isReplaced(by: kept) { return }
            wasKept = false
            note(SecItemDelete(item as CFDictionary), besides: errSecItemNotFound)
            return
        }
        wasKept = false
        guard let bytes = tokens.keptBytes else {
            problem = .unreadable
            return
        }
        let value: [String: Any] = [
            kSecValueData as String: Data(bytes),
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil)
        }
        note(status)
        wasKept = status == errSecSuccess
        if wasKept { known.note(.tokens(tokens)) }
    }

    public func exclusively<Value: Sendable>(
        _ renew: @Sendable (_ latest: KeptSession) async -> Value
    ) async -> Value {
        problem = nil
        var lock: FileLock?
        var refusal: SessionStoreError?
        do throws(SessionStoreError) {
            lock = try await lockWait?.take()
        } catch {
            refusal = error
        }
        let latest = look()
        known.note(latest)
        let value = await renew(latest)
        lock?.release()
        // What the renewal has saved may have a problem of its own.
        problem = problem ?? refusal
        return value
    }

    /// The attributes that identify the item.
    private var item: [String: Any] {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
        return item
    }

    private func look() -> KeptSession {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        guard status == errSecSuccess else {
            note(status, besides: errSecItemNotFound)
            return status == errSecItemNotFound && wasKept ? .ended : .unknown
        }
        guard let data = found as? Data, let tokens = SessionTokens(kept: Array(data)) else {
            problem = .unreadable
            return .unknown
        }
        wasKept = true
        return .tokens(tokens)
    }

    private func note(_ status: OSStatus, besides expected: OSStatus = errSecSuccess) {
        if status != errSecSuccess, status != expected { problem = .keychain(status: Int(status)) }
    }
}

extension SessionStore where Self == KeychainSessionStore {
    /// The keychain of this app.
    public static func keychain(service: String, account: String = "session") -> KeychainSessionStore {
        KeychainSessionStore(service: service, account: account)
    }
}
#endif
