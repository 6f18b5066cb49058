import Testing

@testable import OpenAPI

/// A key that an import reads is not yet in the contract. Without one that is, the contract or the findings are others.
@Suite struct ErasedKeyTests {
    @Test func withoutAKeyTheImportSaysSomethingElse() {
        let whole = Everything.imported()
        #expect(whole.problems == [])
        // A value may say what holds anyway, such as `type: object` beside `properties`, so one place of a key is enough.
        var silent: [MeaninglessKeys.Key: [String]] = [:]
        var heard = Set<MeaninglessKeys.Key>()
        for (kind, place) in Everything.keys where !Everything.isLost(Array(place.dropLast())) {
            let key = MeaninglessKeys.Key(kind, place.last ?? "")
            guard !MeaninglessKeys.contains(kind, key.name), !heard.contains(key) else { continue }
            let part = ImportedDocument(files: ["api.json": Everything.text { $0.remove(place) }], main: "api.json")
            if part.contract != whole.contract || part.findings != whole.findings {
                heard.insert(key)
                silent[key] = nil
            } else {
                silent[key, default: []].append(place.joined(separator: " > "))
            }
        }
        for (key, places) in silent {
            Issue.record("without `\(key.name)` of \(key.kind.title), the import is the same: \(places)")
        }
        #expect(heard.count > 100)
    }
}
