/// A JSON value as fields of a form, in the spelling that most servers read. A member of an object is `name[key]=value`, an
/// element of an array is `name[0]=value`, and inner values add further brackets. A null, an empty object and an empty array
/// give no fields.
struct FormPairs {
    private(set) var pairs: [(name: String, text: String)] = []
    /// A key that servers would misread. An empty key means a list, and a key with brackets addresses another place.
    private(set) var refusedKey: String?

    /// Nil if the bytes aren't JSON.
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
