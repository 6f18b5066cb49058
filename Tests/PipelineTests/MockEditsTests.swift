import Testing

@testable import Pipeline
@testable import ProjectTasks

/// What a mock server is told about edits of its files.
@Suite struct MockEditsTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {local: "http://127.0.0.1:8080"}
        endpoints:
          greet: {get: /greeting, response: {text: string}, session: none}
        """

    private static func name(_ step: Mock.Edits.Step) -> String {
        switch step {
        case .nothing: "nothing"
        case .mistakes: "mistakes"
        case .edited(let loaded, let hasNewContract):
            "edited, seed \(loaded.scenario.seed ?? 0)\(hasNewContract ? ", with another contract" : "")"
        case .undone: "undone"
        }
    }

    @Test func eachEditIsSaidOnce() throws {
        let folder = try TemporaryFolder()
        let (contract, scenario) = ("shop.contract.yaml", "story.yaml")
        try folder.write(Self.contract, to: contract)
        try folder.write("scenario: 1\nseed: 3\n", to: scenario)
        let boundary = ProjectBoundary(naming: [folder.path(contract), folder.path(scenario)])
        let mock = Mock(contract: folder.path(contract), scenario: folder.path(scenario), in: boundary)
        guard case .loaded(let first) = mock.load() else {
            Issue.record("not loaded")
            return
        }
        var edits = Mock.Edits(mock, first, [])
        var steps: [String] = []
        func look() { steps += [Self.name(edits.next()), Self.name(edits.next())] }
        look()
        try folder.write(Self.contract.replacing("string", with: "strng"), to: contract)
        look()
        // The same text as before: the server has played it all the time.
        try folder.write(Self.contract, to: contract)
        look()
        try folder.write("scenario: 1\nseed: 7\n", to: scenario)
        look()
        try folder.write(Self.contract.replacing("greeting", with: "hello"), to: contract)
        look()
        #expect(
            steps == [
                "nothing", "nothing", "mistakes", "nothing", "undone", "nothing", "edited, seed 7", "nothing",
                "edited, seed 7, with another contract", "nothing",
            ])
    }

    /// A contract stays broken for as long as its author thinks, and the server looks twice a second.
    @Test func anEditWithMistakesIsExaminedOnce() throws {
        let folder = try TemporaryFolder()
        let contract = "shop.contract.yaml"
        try folder.write(Self.contract, to: contract)
        let mock = Mock(
            contract: folder.path(contract), scenario: nil, in: ProjectBoundary(naming: [folder.path(contract)]))
        guard case .loaded(let first) = mock.load() else {
            Issue.record("not loaded")
            return
        }
        var edits = Mock.Edits(mock, first, [])
        func look() -> String { Self.name(edits.next()) }
        // The missing file that it names is a part of the edit.
        let broken = Self.contract.replacing("service: Shop", with: "service: Shop\nimports: [types.contract.yaml]")
        try folder.write(broken.replacing("string", with: "Word"), to: contract)
        #expect([look(), look(), look()] == ["mistakes", "nothing", "nothing"])
        #expect(edits.examinations == 1)
        try folder.write(
            "errand: 1\nservice: Types\ntypes: {Word: {alias: string}}\nendpoints: {}\n", to: "types.contract.yaml")
        #expect(look().hasPrefix("edited"))
        #expect(edits.examinations == 2)
    }
}
