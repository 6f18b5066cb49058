import Testing

@testable import OpenAPI

/// The order of the passes of an import.
@Suite struct ImportPassTests {
    @Test func eachPassNeedsWhatEarlierPassesGive() { #expect(Self.problems(of: ImportPass.all) == []) }

    /// A check that cannot fail says nothing.
    @Test func aWrongOrderIsFound() {
        let endpoints = ImportPass(name: "endpoints", gives: .endpoints) { _ in }
        let pages = ImportPass(name: "pages", needs: [.endpoints], gives: .pages) { _ in }
        let errors = ImportPass(name: "errors", needs: [.endpoints, .pages], gives: .errors) { _ in }
        #expect(Self.problems(of: [endpoints, pages]) == [])
        #expect(Self.problems(of: [pages, endpoints]) == ["pages: no earlier pass gives endpoints"])
        #expect(Self.problems(of: [endpoints, pages, endpoints]) == ["endpoints: an earlier pass gives endpoints"])
        #expect(Self.problems(of: [endpoints, pages, errors]) == ["errors: another need has the need endpoints"])
    }

    /// The needs are complete: where a pass does not need another one, it does not matter which comes first.
    @Test(arguments: GoldenImportTests.cases) func passesInAnotherOrderMakeTheSameContract(_ name: String) throws {
        let files = try GoldenImportTests.files(of: name)
        let (usual, other) = (ImportedDocument(files: files), ImportedDocument(files: files, passes: Self.latest))
        #expect(other.contract == usual.contract)
        #expect(other.findings.sorted() == usual.findings.sorted())
    }

    @Test func theOtherOrderIsAnother() {
        #expect(Self.problems(of: Self.latest) == [])
        #expect(Self.latest.map(\.name) != ImportPass.all.map(\.name))
        #expect(Self.latest.map(\.name).sorted() == ImportPass.all.map(\.name).sorted())
    }

    private static func problems(of passes: [ImportPass]) -> [String] {
        // The facts so far, each with those that it depends on.
        var given: [ImportPass.Fact: Set<ImportPass.Fact>] = [:]
        var problems: [String] = []
        for pass in passes {
            let implied = Set(pass.needs.flatMap { given[$0] ?? [] })
            for need in pass.needs {
                if given[need] == nil { problems.append("\(pass.name): no earlier pass gives \(need)") }
                if implied.contains(need) { problems.append("\(pass.name): another need has the need \(need)") }
            }
            guard let fact = pass.gives else { continue }
            if given[fact] != nil { problems.append("\(pass.name): an earlier pass gives \(fact)") }
            given[fact] = pass.needs.union(implied)
        }
        return problems
    }

    /// The passes in another order that the needs allow: each time, the last of those that could be next.
    private static let latest: [ImportPass] = {
        var (left, given): ([ImportPass], Set<ImportPass.Fact>) = (ImportPass.all, [])
        var order: [ImportPass] = []
        while let position = left.lastIndex(where: { $0.needs.isSubset(of: given) }) {
            order.append(left.remove(at: position))
            if let fact = order.last?.gives { given.insert(fact) }
        }
        return order
    }()
}
