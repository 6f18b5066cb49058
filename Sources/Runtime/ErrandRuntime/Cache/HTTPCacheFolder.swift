/// A folder in which a dispatcher keeps the responses of its cache beyond the process
/// (``DispatcherSettings/cacheFolder``).
///
/// Only the user of the process can read its files. Several processes may use one folder if they share the store of their session. A
/// process may end at any point: a file is whole, or it is treated as absent and removed.
public struct HTTPCacheFolder: Sendable {
    /// A folder for the cache alone, which is made if it does not exist. Apple's systems may empty one in `Caches`, and leave it out of
    /// backups.
    public let path: String
    /// How many bytes the files take on the disk, about. The least recently used leave first, and a response that takes more than an
    /// eighth is not kept.
    public let maximumSize: Int
    /// Encrypts the files.
    let seal: StorageSeal?
    /// Called before each change of the disk. A test ends the process there.
    private(set) var willChange: @Sendable () -> Void = {}

    /// - Parameters:
    ///   - path: a folder for the cache alone. It is not used if other users may write to it, or if it belongs to another user.
    ///   - maximumSize: how many bytes the files may take on the disk, about.
    ///   - seal: encrypts the files. Without one, responses with `sensitive` members, with cookies or to requests with credentials of
    ///     the app are kept in memory only.
    public init(path: String, maximumSize: Int = 64 << 20, seal: StorageSeal? = nil) {
        self.path = path
        self.maximumSize = max(0, maximumSize)
        self.seal = seal
    }

    /// The same folder, for a test that ends the process at a change of the disk.
    package func calling(_ willChange: @escaping @Sendable () -> Void) -> HTTPCacheFolder {
        var folder = self
        folder.willChange = willChange
        return folder
    }
}
