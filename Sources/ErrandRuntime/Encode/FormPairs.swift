/// A JSON value as fields of a form, spelled as most servers read it: a member of an object is `name[key]=value`, an
/// element of an array `name[0]=value`, and so on inward. A null, an empty object and an empty array have no fields.
struct FormPairs {
    private(set) var pairs: [(name: String, text: String)] = []
    /// A key that no server would read as the app meant it: an empty one is the mark of a list, and one with brackets
    /// would lead to another place.
    private(set) var refusedKey: String?

    /// Nil where the bytes are no JSON.
    init?(_ json: [UInt8], under name: String) {
        let found = try? JSON.scan(json) { reader -> FormPairs? in
            var pairs = FormPairs()
            pairs.collect(&reader, name)
            return reader.isFaulted ? nil : pairs
        }
        guard let found else { return nil }
        self = found
    }

    private init() {}

    private mutating func collect(_ reader: inout JSONReader, _ name: String) {
        switch reader.peekKind() {
        case .string, .number, .bool: pairs.append((name, reader.readLenientString()))
        case .array:
            var elements = reader.beginArray()
            var index = 0
            while reader.nextElement(&elements) {
                collect(&reader, "\(name)[\(index)]")
                index += 1
            }
        case .object:
            var fields = reader.beginObject()
            while let key = reader.nextKey(&fields) {
                if key.isEmpty || key.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) {
                    refusedKey = refusedKey ?? key
                }
                collect(&reader, "\(name)[\(key)]")
            }
        case .null, .end: reader.skipValue()
        }
    }
}
