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
        var items: [String: Item] = [:]
        /// The identities in the order of their creation.
        var order: [String] = []
        var removed: Set<Fingerprint> = []
        var nextNumber: Int
        /// Whether a client has made, changed or removed something.
        var isChanged = false
    }

    private var collections: [String: Collection] = [:]
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
        guard collections[place] == nil else { return }
        let first = make()
        collections[place] = Collection(nextNumber: first.count + 1)
        size += place.utf8.count + Self.overhead
        for (identity, value) in first { insert(value, as: identity, in: place, isListed: true) }
    }

    func items(in place: String) -> [JSONNode] {
        guard let collection = collections[place] else { return [] }
        return collection.order.compactMap { collection.items[$0] }.filter(\.isListed).map(\.value)
    }

    func item(_ identity: String, in place: String) -> JSONNode? { collections[place]?.items[identity]?.value }

    func wasRemoved(_ identity: String, in place: String) -> Bool {
        collections[place]?.removed.contains(Fingerprint(identity)) ?? false
    }

    /// Whether a client has made, changed or removed something in a collection.
    func isChanged(_ place: String) -> Bool { collections[place]?.isChanged ?? false }

    /// The number of the next new item.
    mutating func takeNumber(in place: String) -> Int {
        let number = collections[place]?.nextNumber ?? 1
        collections[place]?.nextNumber = number + 1
        return number
    }

    /// Keeps what a client has made or changed.
    mutating func put(_ value: JSONNode, as identity: String, in place: String, isListed: Bool) {
        guard collections[place] != nil else { return }
        collections[place]?.isChanged = true
        if collections[place]?.removed.remove(Fingerprint(identity)) != nil { size -= Self.overhead }
        insert(value, as: identity, in: place, isListed: isListed)
    }

    private mutating func insert(_ value: JSONNode, as identity: String, in place: String, isListed: Bool) {
        let known = collections[place]?.items[identity]
        if known == nil { collections[place]?.order.append(identity) }
        let item = Item(
            value: value, isListed: isListed || known?.isListed ?? false,
            size: value.size + 2 * identity.utf8.count + Self.overhead)
        size += item.size - (known?.size ?? 0)
        collections[place]?.items[identity] = item
    }

    /// Removes an item, and the collections inside it.
    mutating func remove(_ identity: String, in place: String) {
        guard collections[place] != nil else { return }
        collections[place]?.isChanged = true
        if let item = collections[place]?.items.removeValue(forKey: identity) {
            size -= item.size
            collections[place]?.order.removeAll { $0 == identity }
        }
        if collections[place]?.removed.insert(Fingerprint(identity)).inserted == true { size += Self.overhead }
        let inside = Self.path(of: identity, in: place) + "/"
        for (inner, collection) in collections where inner.hasPrefix(inside) {
            collections[inner] = nil
            size -= collection.items.values.reduce(inner.utf8.count + Self.overhead) { $0 + $1.size }
            size -= collection.removed.count * Self.overhead
        }
    }

    /// The path of an item. Two spellings of the same identity have the same path.
    static func path(of identity: String, in place: String) -> String {
        place + "/" + identity.replacing("%", with: "%25").replacing("/", with: "%2F")
    }
}
