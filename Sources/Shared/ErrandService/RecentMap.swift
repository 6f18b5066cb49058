/// Values of clients by their keys. With more than a number of them, the oldest one is forgotten, so that no client can fill the memory.
package struct RecentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        /// Its place in the order of arrival.
        let place: Int
    }

    private let most: Int
    private var entries: [Key: Entry] = [:]
    /// The keys by their places. What was removed leaves its place empty.
    private var order: [(key: Key, place: Int)] = []
    /// How many of the places at the beginning are passed.
    private var passed = 0
    private var arrived = 0

    package init(most: Int) { self.most = most }

    package var count: Int { entries.count }
    /// The oldest one first.
    package var keys: [Key] { order[passed...].filter { entries[$0.key]?.place == $0.place }.map(\.key) }

    /// A key that is there already keeps its place in the order.
    package subscript(_ key: Key) -> Value? {
        get { entries[key]?.value }
        set {
            guard let newValue else {
                entries[key] = nil
                return
            }
            if entries[key] != nil {
                entries[key]?.value = newValue
                return
            }
            entries[key] = Entry(value: newValue, place: arrived)
            order.append((key, arrived))
            arrived += 1
            if entries.count > most { removeOldest() }
            // Places that are passed or empty are given up now and then, so that the cost for each key is that of one step.
            if order.count > 2 * most + 16 {
                order = order[passed...].filter { entries[$0.key]?.place == $0.place }
                passed = 0
            }
        }
    }

    package mutating func removeAll() { self = RecentMap(most: most) }

    /// Forgets the value that came first, and returns it.
    @discardableResult
    package mutating func removeOldest() -> Value? {
        while passed < order.count {
            let oldest = order[passed]
            passed += 1
            guard entries[oldest.key]?.place == oldest.place else { continue }
            return entries.removeValue(forKey: oldest.key)?.value
        }
        return nil
    }
}
