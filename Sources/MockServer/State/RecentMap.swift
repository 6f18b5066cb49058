/// Values of clients by their keys. With more than a number of them, the oldest one is forgotten, so that no client can fill the memory.
struct RecentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
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

    init(most: Int) { self.most = most }

    var count: Int { entries.count }
    /// The oldest one first.
    var keys: [Key] { order[passed...].filter { entries[$0.key]?.place == $0.place }.map(\.key) }

    /// A key that is there already keeps its place in the order.
    subscript(_ key: Key) -> Value? {
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
            forgetOldest()
        }
    }

    mutating func removeAll() { self = RecentMap(most: most) }

    private mutating func forgetOldest() {
        while passed < order.count, entries.count > most || entries[order[passed].key]?.place != order[passed].place {
            let oldest = order[passed]
            if entries[oldest.key]?.place == oldest.place { entries[oldest.key] = nil }
            passed += 1
        }
        // Places that are passed or empty are given up now and then, so that the cost for each key is that of one step.
        if order.count > 2 * most + 16 {
            order = order[passed...].filter { entries[$0.key]?.place == $0.place }
            passed = 0
        }
    }
}
