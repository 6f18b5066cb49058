import Foundation

@testable import OpenAPI

/// A document that has each kind of object, each with nearly all of its keys.
enum Everything {
    /// The way to an object: keys, and numbers of elements.
    typealias Place = [String]

    static func imported() -> ImportedDocument {
        ImportedDocument(files: ["api.json": text { _ in }], main: "api.json")
    }

    /// The document after a change.
    static func text(_ change: (JSONDocument) -> Void) -> String {
        let document = JSONDocument()
        change(document)
        return document.text
    }

    /// Every key of an object, with the kind of the object.
    static let keys: [(kind: ObjectKind, place: Place)] = {
        var found: [(ObjectKind, Place)] = []
        func visit(_ kind: ObjectKind, _ value: Any, _ place: Place) {
            guard let object = value as? [String: Any] else { return }
            let kind = object["$ref"] != nil && kind != .schema ? ObjectKind.reference : kind
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                let inner = place + [key]
                found.append((kind, inner))
                switch kind.part(key) {
                case .one(let kind): visit(kind, value, inner)
                case .list(let kind):
                    for (index, item) in (value as? [Any] ?? []).enumerated() {
                        visit(kind, item, inner + [String(index)])
                    }
                case .map(let kind):
                    for (name, item) in value as? [String: Any] ?? [:] { visit(kind, item, inner + [name]) }
                case .values, nil: break
                }
            }
            guard kind == .components else { return }
            for (section, kind) in [
                ("schemas", ObjectKind.schema), ("parameters", .parameter), ("responses", .response),
            ] {
                for (name, item) in object[section] as? [String: Any] ?? [:] {
                    visit(kind, item, place + [section, name])
                }
            }
        }
        visit(.document, JSONDocument().root, [])
        return found.sorted { $0.1.lexicographicallyPrecedes($1.1) }
    }()

    /// The objects of a kind.
    static func places(of kind: ObjectKind) -> [Place] {
        var seen = Set<Place>()
        return keys.filter { $0.kind == kind }.map { Array($0.place.dropLast()) }.filter { seen.insert($0).inserted }
    }

    /// Whether a place is in a part that the contract has not, as a whole.
    static func isLost(_ place: Place) -> Bool {
        let lost = ["trace", "webhooks", "Unused", "unused", "unneeded", "application/x-thing", "X-Name", "example"]
        return !Set(place).isDisjoint(with: lost) || place.contains("parameters") && place.contains("examples")
    }
}

/// The document, which can be changed.
final class JSONDocument {
    private(set) var root: Any

    init() {
        root = (try? JSONSerialization.jsonObject(with: Data(Everything.text.utf8))) ?? [String: Any]()
    }

    var text: String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: root, options: options)).map {
            String(decoding: $0, as: UTF8.self)
        } ?? ""
    }

    /// Adds a key to an object.
    func set(_ key: String, at place: Everything.Place) { root = changed(root, place[...]) { $0[key] = 1 } }

    /// Removes a key with its value.
    func remove(_ place: Everything.Place) {
        root = changed(root, place.dropLast()) { $0[place.last ?? ""] = nil }
    }

    private func changed(_ value: Any, _ place: ArraySlice<String>, _ change: (inout [String: Any]) -> Void) -> Any {
        if var list = value as? [Any], let index = place.first.flatMap({ Int($0) }), list.indices.contains(index) {
            list[index] = changed(list[index], place.dropFirst(), change)
            return list
        }
        guard var object = value as? [String: Any] else { return value }
        if let key = place.first {
            object[key] = object[key].map { changed($0, place.dropFirst(), change) }
        } else {
            change(&object)
        }
        return object
    }
}
