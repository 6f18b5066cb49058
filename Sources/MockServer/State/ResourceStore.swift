import JSONTree

/// The things that a mock server knows: those that it began with, and what clients have made of them.
struct ResourceStore: Sendable {
    struct Item: Sendable {
        var value: JSONNode
        /// Whether lists contain the item. One that was only asked for is in no list.
        var isListed: Bool
    }

    private struct Collection: Sendable {
        var items: [String: Item] = [:]
        /// The identities in the order of their creation.
        var order: [String] = []
        var removed: Set<String> = []
        var nextNumber: Int
    }

    private var collections: [String: Collection] = [:]
    private var count = 0

    /// So many items of all collections are kept. With more, the server starts anew.
    static let mostItems = 100_000

    /// Fills a collection when it is first used.
    ///
    /// - Parameters:
    ///   - place: the path of the collection, with the values of its parameters.
    ///   - make: the items, with their identities.
    mutating func open(_ place: String, _ make: () -> [(identity: String, value: JSONNode)]) {
        guard collections[place] == nil else { return }
        if count >= Self.mostItems { self = ResourceStore() }
        let first = make()
        var collection = Collection(nextNumber: first.count + 1)
        for (identity, value) in first {
            if collection.items[identity] == nil { collection.order.append(identity) }
            collection.items[identity] = Item(value: value, isListed: true)
        }
        count += first.count + 1
        collections[place] = collection
    }

    func items(in place: String) -> [JSONNode] {
        guard let collection = collections[place] else { return [] }
        return collection.order.compactMap { collection.items[$0] }.filter(\.isListed).map(\.value)
    }

    func item(_ identity: String, in place: String) -> JSONNode? { collections[place]?.items[identity]?.value }

    func wasRemoved(_ identity: String, in place: String) -> Bool {
        collections[place]?.removed.contains(identity) ?? false
    }

    /// The number of the next new item.
    mutating func takeNumber(in place: String) -> Int {
        let number = collections[place]?.nextNumber ?? 1
        collections[place]?.nextNumber = number + 1
        return number
    }

    mutating func put(_ value: JSONNode, as identity: String, in place: String, isListed: Bool) {
        guard collections[place] != nil else { return }
        let known = collections[place]?.items[identity]
        if known == nil {
            collections[place]?.order.append(identity)
            count += 1
        }
        collections[place]?.removed.remove(identity)
        collections[place]?.items[identity] = Item(value: value, isListed: isListed || known?.isListed ?? false)
    }

    mutating func remove(_ identity: String, in place: String) {
        collections[place]?.items[identity] = nil
        collections[place]?.order.removeAll { $0 == identity }
        collections[place]?.removed.insert(identity)
    }
}
