/// Finds the secrets in JSON: those of models inside a body, which no call marks one by one, and those in a server's
/// response. Neither may be printed.
struct SecretScan {
    /// The values, as text.
    private(set) var texts: [String] = []
    /// Where in the document they are, quotes and brackets included.
    private(set) var places: [Range<Int>] = []
    /// Whether there is more than a search could look for.
    private(set) var isOverflowing = false
    private var size = 0
    private let names: Set<String>

    /// In bytes, for all values together.
    private static let maximumSize = 1 << 20

    /// The values under sensitive names, at any depth; nil if the bytes aren't JSON.
    static func scan(_ json: [UInt8], under names: Set<String>) -> SecretScan? {
        scan(json, names, isSecret: false)
    }

    /// All values and keys, for JSON that is secret as a whole. A server that repeats it leaves the quotes out.
    static func values(in json: [UInt8]) -> [String] {
        guard let scan = scan(json, [], isSecret: true) else { return [] }
        return [String(decoding: json, as: UTF8.self)] + scan.texts
    }

    /// Whether bytes of unknown meaning could be a JSON document with names in it.
    static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first(where: { $0 > 0x20 }) else { return false }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private init(names: Set<String>) { self.names = names }

    private static func scan(_ json: [UInt8], _ names: Set<String>, isSecret: Bool) -> SecretScan? {
        try? JSON.scan(json) { reader -> SecretScan? in
            var scan = SecretScan(names: names)
            scan.collect(&reader, isSecret: isSecret)
            return reader.isFaulted ? nil : scan
        }
    }

    private mutating func collect(_ reader: inout JSONReader, isSecret: Bool) {
        switch reader.peekKind() {
        case .string, .number, .bool:
            if isSecret { add(reader.readLenientString()) } else { reader.skipValue() }
        case .array:
            var elements = reader.beginArray()
            while reader.nextElement(&elements) { collect(&reader, isSecret: isSecret) }
        case .object:
            var fields = reader.beginObject()
            while let name = reader.nextKey(&fields) {
                if isSecret { add(name) }
                guard !isSecret, names.contains(name) else {
                    collect(&reader, isSecret: isSecret)
                    continue
                }
                _ = reader.peekKind()
                let start = reader.mark().offset
                collect(&reader, isSecret: true)
                places.append(start..<reader.mark().offset)
            }
        case .null, .end: reader.skipValue()
        }
    }

    private mutating func add(_ text: String) {
        size += text.utf8.count
        if size > Self.maximumSize { isOverflowing = true } else { texts.append(text) }
    }
}
