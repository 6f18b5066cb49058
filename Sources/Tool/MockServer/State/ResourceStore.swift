import JSONTree

/// The things that a mock server knows: those that it began with, and what clients have made of them.
struct ResourceStore: Sendable {
    private struct Item: Sendable {
        var value: JSONNode
        /// Whether lists contain the item. One that was only changed is in no list.
        var isListed: Bool
        var size: Int
    }

    private struct Collection: Sendable {
        var items: [ByteText: Item] = [:]
        /// The identities in the order of their creation.
        var order: [ByteText] = []
        var removed: Set<Fingerprint> = []
        var nextNumber: Int
        /// Whether a client has made, changed or removed something.
        var isChanged = false
    }

    /// By their paths.
    private var collections: [ByteText: Collection] = [:]
    /// The size of everything that is kept, about, in bytes.
    private(set) var size = 0

    /// So much is kept. With more, the server starts anew.
    private let mostBytes: Int
    /// What an entry takes beside its text.
    private static let overhead = 200

    init(mostBytes: Int = 32 << 20) { self.mostBytes = mostBytes }

    /// Fills a collection when it is first used.
    ///
    /// - Parameters:
    ///   - place: the path of the collection, with the values of its parameters.
    ///   - make: the items, with their identities.
    mutating func open(_ place: String, _ make: () -> [(identity: String, value: JSONNode)]) {
        // Whenever a request begins, so that everything that it puts into a collection stays until its response.
        if size >= mostBytes { self = ResourceStore(mostBytes: mostBytes) }
        guard collections[ByteText(place)] == nil else { return }
        let first = make()
        collections[ByteText(place)] = Collection(nextNumber: first.count + 1)
        size += place.utf8.count + Self.overhead
        for (identity, value) in first { insert(value, as: identity, in: place, isListed: true) }
    }

    func items(in place: String) -> [JSONNode] {
        guard let collection = collections[ByteText(place)] else { return [] }
        return collection.order.compactMap { collection.items[$0] }.filter(\.isListed).map(\.value)
    }

    func item(_ identity: String, in place: String) -> JSONNode? {
        collections[ByteText(place)]?.items[ByteText(identity)]?.value
    }

    func wasRemoved(_ identity: String, in place: String) -> Bool {
        collections[ByteText(place)]?.removed.contains(Fingerprint(identity)) ?? false
    }

    /// Whether a client has made, changed or removed something in a collection.
    func isChanged(_ place: String) -> Bool { collections[ByteText(place)]?.isChanged ?? false }

    /// The number of the next new item.
    mutating func takeNumber(in place: String) -> Int {
        let number = collections[ByteText(place)]?.nextNumber ?? 1
        collections[ByteText(place)]?.nextNumber = number + 1
        return number
    }

    /// Keeps what a client has made or changed.
    mutating func put(_ value: JSONNode, as identity: String, in place: String, isListed: Bool) {
        guard collections[ByteText(place)] != nil else { return }
        collections[ByteText(place)]?.isChanged = true
        if collections[ByteText(place)]?.removed.remove(Fingerprint(identity)) != nil { size -= Self.overhead }
        insert(value, as: identity, in: place, isListed: isListed)
    }

    private mutating func insert(_ value: JSONNode, as identity: String, in place: String, isListed: Bool) {
        let (key, place) = (ByteText(identity), ByteText(place))
        let known = collections[place]?.items[key]
        if known == nil { collections[place]?.order.append(key) }
        let item = Item(
            value: value, isListed: isListed || known?.isListed ?? false,
            size: value.size + 2 * identity.utf8.count + Self.overhead)
        size += item.size - (known?.size ?? 0)
        collections[place]?.items[key] = item
    }

    /// Removes an item, and the collections inside it.
    mutating func remove(_ identity: String, in place: String) {
        let (key, collection) = (ByteText(identity), ByteText(place))
        guard collections[collection] != nil else { return }
        collections[collection]?.isChanged = true
        if let item = collections[collection]?.items.removeValue(forKey: key) {
            size -= item.size
            collections[collection]?.order.removeAll { $0 == key }
        }
        if collections[collection]?.removed.insert(Fingerprint(identity)).inserted == true { size += Self.overhead }
        let inside = Self.path(of: identity, in: place) + "/"
        for (inner, collection) in collections where inner.hasPrefix(inside) {
            collections[inner] = nil
            size -= collection.items.values.reduce(inner.size + Self.overhead) { $0 + $1.size }
            size -= collection.removed.count * Self.overhead
        }
    }

    /// The path of an item. Two spellings of the same identity have the same path.
    static func path(of identity: String, in place: String) -> String {
        // Each scalar alone, because a slash with an accent is one character.
        identity.unicodeScalars.reduce(into: place + "/") { path, scalar in
            switch scalar {
            case "%": path += "%25"
            case "/": path += "%2F"
            default: path.unicodeScalars.append(scalar)
            }
        }
    }
}
