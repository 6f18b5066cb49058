import ErrandJSON
import Foundation

/// Arrays, maps, objects key by key, and all that looks ahead and comes back.
enum Wanderings {
    private static let tokens = JSONTokens(["a", "amounts", "circle", "😀", "say \"hi\""])
    private static let words = ["a", "amounts", "circle", "😀", "say \"hi\""]
    private static let keys = JSONKeys(["a", "kind", "na\"me"], optional: ["na\"me"])

    static func check(_ document: Document, _ value: JSONValue?) {
        checkContainers(document, value)
        checkSkipping(document, value)
        checkKeys(document, value)
        checkTokens(document, value)
        checkReturns(document, value)
    }

    private static func checkContainers(_ document: Document, _ value: JSONValue?) {
        TypedReads.compare(document, value, { $0.readArray { $0.readValue() } }, { .init($0.array) })
        TypedReads.compare(document, value, { $0.readArrayOrSingle { $0.readValue() } }) { value in
            .value(value.array ?? (value == .null ? [] : [value]))
        }
        TypedReads.compare(document, value, { $0.readMap { $0.readValue() } }) { value in
            .init(value.object.map { object in Dictionary(object.map { ($0.key, $0.value) }) { $1 } })
        }
        TypedReads.compare(document, value, { $0.readArray { $0.readNullable { $0.readInt() } } }) { value in
            guard let list = value.array else { return .refusal }
            return list.allSatisfy { $0 == .null || $0.number?.int != nil }
                ? .value(list.map { $0.number?.int }) : .refusal
        }
    }

    /// Each element is in the list or reported, in the order of the document.
    private static func checkSkipping(_ document: Document, _ value: JSONValue?) {
        do throws(JSONError) {
            let (list, skipped) = try JSON.scanReportingSkipped(document) {
                $0.readArraySkippingInvalid { $0.readInt() }
            }
            guard let elements = value?.array else {
                return hold(false, "a list from \(value?.description ?? "no JSON")")
            }
            hold(list == elements.compactMap { $0.number?.int }, "the numbers of \(elements)")
            hold(list.count + skipped.count == elements.count, "each is read or reported")
            hold(skipped.faults.map(\.byteOffset) == skipped.faults.map(\.byteOffset).sorted(), "reports are in order")
            for fault in skipped.faults {
                hold(fault, in: document)
                hold(!fault.isMalformed && fault.path.hasPrefix("$["), "\(fault) is about an element")
            }
        } catch {
            hold(error, in: document)
            hold(value == nil || value?.array == nil, "a list is read: \(error)")
            hold(error.isMalformed == false || value == nil, "JSON is not called malformed: \(error)")
        }
        TypedReads.compare(document, value, { $0.readArrayOrSingleSkippingInvalid { $0.readMap { $0.readInt() } } }) {
            value in
            func map(_ value: JSONValue) -> [String: Int]? {
                guard let object = value.object, object.allSatisfy({ $0.value.number?.int != nil }) else { return nil }
                return Dictionary(object.compactMap { member in member.value.number?.int.map { (member.key, $0) } }) {
                    $1
                }
            }
            // Of a key that comes twice, the value that was hidden may not be a number.
            return value.array?.contains { map($0) != nil } ?? (map(value) != nil) ? .open : .value([])
        }
    }

    private static func checkKeys(_ document: Document, _ value: JSONValue?) {
        TypedReads.compare(
            document, value,
            { (reader: inout JSONReader) -> Set<String>? in
                var fields = reader.beginObject()
                var names: Set<String> = []
                while let key = reader.nextKey(&fields) {
                    names.insert(key)
                    reader.skipValue()
                }
                return names
            }, { .init($0.object.map { Set($0.keys) }) })
        TypedReads.compare(
            document, value,
            { (reader: inout JSONReader) -> [String: JSONValue]? in
                var fields = reader.beginObject()
                var found: [String: JSONValue] = [:]
                while true {
                    switch reader.nextField(keys, &fields) {
                    case 0: found["a"] = reader.readValue()
                    case 1: found["kind"] = reader.readValue()
                    case 2: found["na\"me"] = reader.readValue()
                    default: return found
                    }
                }
            }
        ) { value in
            guard let object = value.object, let a = object["a"], let kind = object["kind"] else { return .refusal }
            var wanted = ["a": a, "kind": kind]
            wanted["na\"me"] = object["na\"me"]
            return .value(wanted)
        }
    }

    private static func checkTokens(_ document: Document, _ value: JSONValue?) {
        TypedReads.compare(document, value, { $0.readToken(tokens) }) { value in
            .init(value.string.map { word in words.firstIndex { $0.utf8.elementsEqual(word.utf8) } ?? -1 })
        }
        TypedReads.compare(
            document, value,
            { (reader: inout JSONReader) -> Int? in
                let index = reader.readToken(tokens)
                if index < 0 { reader.faultUnknownToken(tokens) }
                return index
            }
        ) { value in .init(value.string.flatMap { word in words.firstIndex { $0.utf8.elementsEqual(word.utf8) } }) }
        TypedReads.compare(
            document, value,
            { (reader: inout JSONReader) -> JSONValue? in
                _ = reader.peekToken(at: "kind", tokens)
                _ = reader.takeToken()
                return reader.readValue()
            }
        ) { value in value["kind"] == nil ? .refusal : .open }
        checkUnionKeys(document, value)
    }

    /// A union by keys: the index is that of the one key with a value other than null, and the object is still to be read.
    private static func checkUnionKeys(_ document: Document, _ value: JSONValue?) {
        var index = -1
        TypedReads.compare(
            document, value,
            { (reader: inout JSONReader) -> JSONValue? in
                index = reader.peekKey(tokens)
                return reader.isFaulted ? nil : reader.readValue()
            }, { $0.object == nil ? .refusal : .value($0) })
        // An object as a value keeps only the last of two equal keys.
        let present = read(document) { (reader: inout JSONReader) -> Set<Int>? in
            var fields = reader.beginObject()
            var present: Set<Int> = []
            while let key = reader.nextKey(&fields) {
                let isNull = reader.readValue() == .null
                let word = words.firstIndex { $0.utf8.elementsEqual(key.utf8) }
                if let word, !isNull { present.insert(word) }
            }
            return present
        }
        guard let present = present.value else { return }
        let wanted = present.count == 1 ? present.first : -1
        hold(index == wanted, "of the keys \(present.sorted()), peekKey gives \(index)")
    }

    /// What looks ahead consumes nothing.
    private static func checkReturns(_ document: Document, _ value: JSONValue?) {
        let paths = [JSONPath(), JSONPath("a"), JSONPath("0"), JSONPath("a", "0"), JSONPath("kind", "a", "1")]
        for path in paths {
            TypedReads.compare(
                document, value,
                { (reader: inout JSONReader) -> JSONValue? in
                    _ = reader.text(at: path)
                    _ = reader.texts(at: path)
                    _ = reader.isPresent(at: path)
                    _ = reader.attempt(at: path) { $0.readTimestamp() }
                    return reader.readValue()
                }, { .value($0) })
        }
        TypedReads.compare(
            document, value,
            { (reader: inout JSONReader) -> JSONKind? in
                let kind = reader.kind(at: JSONPath())
                reader.skipValue()
                return kind
            }, { .value($0.kind) })
        TypedReads.compare(
            document, value,
            { (reader: inout JSONReader) -> JSONValue? in
                let before = reader.mark()
                reader.skipValue()
                let after = reader.mark()
                reader.rewind(to: before)
                _ = reader.readValue()
                hold(reader.isFaulted || reader.mark() == after, "skipping and reading end at one place")
                reader.rewind(to: before)
                _ = reader.attempt { $0.readMap { $0.readArraySkippingInvalid { $0.readCalendarDate() } } }
                reader.rewind(to: before)
                return reader.readValue()
            }, { .value($0) })
    }
}
