import Diagnostics
import Pipeline
import Testing

@Suite struct ProjectConfigurationTests {
    private func decode(_ text: String) -> (configuration: ProjectConfiguration?, diagnostics: [Diagnostic]) {
        ProjectConfiguration.decode(Array(text.utf8), file: "errand.yaml")
    }

    @Test func readsEveryKey() {
        let result = decode("contracts: [a.contract.yaml, more]\noutput: Sources/Clients\naccess: package\ntemplates: mine\n")
        var wanted = ProjectConfiguration()
        wanted.contracts = ["a.contract.yaml", "more"]
        wanted.output = "Sources/Clients"
        wanted.access = .package
        wanted.templates = "mine"
        #expect(result.diagnostics.isEmpty)
        #expect(result.configuration == wanted)
    }

    @Test func leavesOutWhatIsNotSaid() {
        #expect(decode("output: out\n").configuration?.contracts == ["contracts"])
    }

    @Test(arguments: [
        ("outptu: x\n", "unknown-key", "did you mean `output`?"),
        ("access: open\n", "unknown-value", "`public` or `package`"),
        ("output: [a]\n", "wrong-kind", ""),
        ("contracts: []\n", "missing-value", "contracts: [contracts]"),
        ("- a\n", "wrong-kind", "its keys are"),
    ])
    func refusesWhatItDoesNotKnow(_ text: String, _ rule: String, _ help: String) {
        let result = decode(text)
        #expect(result.configuration == nil)
        #expect(result.diagnostics.map(\.rule) == [rule])
        #expect(result.diagnostics.first?.range != nil)
        if !help.isEmpty { #expect(result.diagnostics.first?.help?.contains(help) == true) }
    }
}
