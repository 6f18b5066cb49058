/// The members of a JSON object, in their order, each key once.
///
/// Keys are the same where `String` says so: `é` composed and decomposed is one key. The order does
/// not count when objects are compared.
public struct JSONObject: Sendable {
    private var members: [(key: String, value: JSONValue)] = []
    /// Where each key is; kept from the size on where looking at all members costs more.
    private var places: [String: Int] = [:]
    private static let indexedSize = 9

    /// An object without members.
    public init() {}

    /// The value of a key. Setting a new key appends it, setting one that is there keeps its place,
    /// setting nil removes it.
    public subscript(key: String) -> JSONValue? {
        get { place(of: key).map { members[$0].value } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil):
                members.remove(at: place)
                reindex()
            case (nil, let value?):
                members.append((key, value))
                if members.count == Self.indexedSize {
                    reindex()
                } else if members.count > Self.indexedSize {
                    places[key] = members.count - 1
                }
            case (nil, nil): break
            }
        }
    }

    /// The keys, in their order.
    public var keys: [String] { members.map(\.key) }

    private func place(of key: String) -> Int? {
        members.count < Self.indexedSize
            ? members.firstIndex { $0.key == key } : places[key]
    }

    private mutating func reindex() {
        places = [:]
        if members.count < Self.indexedSize { return }
        for (place, member) in members.enumerated() { places[member.key] = place }
    }
}

extension JSONObject: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { members.count }
    /// A member, by its place in the order. The index must lie in `indices`.
    public subscript(place: Int) -> (key: String, value: JSONValue) { members[place] }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        // A sum does not depend on the order.
        var sum = 0
        for (key, value) in self {
            var member = Hasher()
            member.combine(key)
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The last of several values with one key is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (key, value) in elements { self[key] = value }
    }
}
