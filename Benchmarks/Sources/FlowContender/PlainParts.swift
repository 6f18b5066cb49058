import Foundation

/// The common parts of the plain contenders: structs as an engineer writes them, and lines.
struct PlainItem: Decodable {
    let id: Int
    let name: String
    let price: Double
    let isAvailable: Bool
    let tags: [String]
}

struct PlainPage: Decodable {
    let pages: Int
    let items: [PlainItem]
}

struct PlainTick: Decodable {
    let id: Int
    let symbol: String
    let price: Double
    let volume: Int
}

struct PlainCount: Decodable { let count: Int }

struct PlainBody: Encodable {
    let name: String
    let price: Double
    let tags: [String]

    static let example = PlainBody(name: "Item number 7", price: 12.5, tags: ["new", "small"])
}

/// Splits bytes into lines, and reads the data of each line that starts with the prefix. It doesn't support comments, names, ids,
/// limits and data of several lines. Used by one task, or on one queue.
final class PlainLines: @unchecked Sendable {
    private var rest: [UInt8] = []
    private let prefix: [UInt8]

    init(prefix: String = "") { self.prefix = Array(prefix.utf8) }

    func append(_ bytes: some Collection<UInt8>, _ read: (ArraySlice<UInt8>) throws -> Int) rethrows -> Int {
        rest += bytes
        var sum = 0
        var start = 0
        while let end = rest[start...].firstIndex(of: 10) {
            let line = rest[start..<end]
            if !line.isEmpty, line.starts(with: prefix) { sum += try read(line.dropFirst(prefix.count)) }
            start = end + 1
        }
        rest.removeFirst(start)
        return sum
    }
}
