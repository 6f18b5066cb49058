import ContractChecks
import Diagnostics
import Foundation
import Testing

@testable import Pipeline
@testable import ProjectTasks

/// `errand replay`, from files to findings. `RecordedTrafficTests` has what is found in entries.
@Suite struct ReplayTests {
    private static let contract = """
        errand: 1
        service: Shop
        servers: {main: https://shop.example}
        endpoints:
          getItem: {get: "/items/{id:int}", response: {id: int}}
        """
    private static let recording =
        #"{"log":{"entries":[{"request":{"method":"GET","url":"https://shop.example/items/1"},"response":{"status":418}}]}}"#

    private static func run(
        _ contract: String = contract, _ recording: String? = recording, file: String = "a.har",
        _ change: (inout ReplayOptions) -> Void = { _ in }
    ) throws -> ReplayReport {
        let folder = try TemporaryFolder()
        return try withExtendedLifetime(folder) {
            try folder.write(contract, to: "shop.contract.yaml")
            if let recording { try folder.write(recording, to: "a.har") }
            let path = folder.path("shop.contract.yaml")
            var options = ReplayOptions(
                recordings: [folder.path(file)], contracts: [path], in: ProjectBoundary(naming: [path]))
            change(&options)
            return Replay.run(options)
        }
    }

    @Test func findingsDecideTheOutcome() throws {
        let report = try Self.run()
        #expect(report.outcome == .findings && report.findings.map(\.rule) == ["undeclared-response"])
        #expect(report.findings.first?.range?.start.line == 5)
        // The excerpt is of the contract, and there is none of the recording.
        #expect(report.sources.keys.allSatisfy { $0.hasSuffix(".yaml") } && report.sources.count == 1)
        #expect(try Self.run { $0.failOn = .error }.outcome == .findings)
        let fine = Self.recording.replacingOccurrences(of: "418", with: "500")
        #expect(try Self.run(Self.contract, fine).outcome == .fine)
        #expect(try Self.run(Self.contract, fine) { $0.failOn = .note }.outcome == .findings)
    }

    @Test func settingsAndCommentsOfTheProjectHold() throws {
        var settings = RuleSettings()
        settings.levels["undeclared-response"] = .off
        #expect(try Self.run { $0.settings = settings }.findings.isEmpty)
        settings.levels["undeclared-response"] = .note
        let noted = try Self.run { $0.settings = settings }
        #expect(noted.outcome == .fine && noted.findings.map(\.severity) == [.note])
        let ignored = Self.contract.replacingOccurrences(
            of: "  getItem", with: "  # errand:ignore undeclared-response the teapot is known\n  getItem")
        #expect(try Self.run(ignored).findings.isEmpty)
        // Lint has no recording, so it does not know whether the comment is stale.
        let folder = try TemporaryFolder()
        try folder.write(ignored, to: "shop.contract.yaml")
        let lint = Lint.run(LintOptions(contracts: [folder.path("shop.contract.yaml")]))
        #expect(!lint.findings.contains { $0.rule == "stale-suppression" })
        let decoded = ProjectConfiguration.decode(
            Array("lint: {rules: {undeclared-member: warning}}\n".utf8), file: "errand.yaml")
        #expect(decoded.diagnostics.isEmpty)
        #expect(decoded.configuration?.lint.levels == ["undeclared-member": .warning])
    }

    @Test func whatCannotBeReadStopsTheRun() throws {
        func found(_ report: ReplayReport) -> [String] {
            report.outcome == .couldNotRun ? report.findings.map(\.rule) : ["it ran"]
        }
        #expect(found(try Self.run(Self.contract, nil)) == ["missing-file"])
        #expect(found(try Self.run(Self.contract, nil, file: "")) == ["folder-as-file"])
        #expect(found(try Self.run(Self.contract, "no JSON")).contains("unreadable-recording"))
        #expect(found(try Self.run { $0.contracts = ["no.contract.yaml"] }).count == 1)
        #expect(found(try Self.run("errand: 1\nservice: Shop\nendpoint: {}\n")).contains("unknown-key"))
        let address = try #require(ReplayOptions.Address("Shopp=http://127.0.0.1:1"))
        let unknown = try Self.run { $0.addresses = [address] }
        #expect(found(unknown) == ["unknown-service"] && unknown.findings.first?.help == "did you mean `Shop`?")
    }

    /// Whatever else is named, and whatever the settings say of findings.
    @Test func whatIsNoRecordingStopsTheRun() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.contract, to: "shop.contract.yaml")
        try folder.write(Self.recording, to: "a.har")
        try folder.write("no JSON", to: "b.har")
        try folder.write(String(Self.recording.dropLast(3)), to: "cut.har")
        let path = folder.path("shop.contract.yaml")
        func run(_ files: String..., off: Bool = false) -> ReplayReport {
            var options = ReplayOptions(
                recordings: files.map(folder.path), contracts: [path], in: ProjectBoundary(naming: [path]))
            if off { options.settings.levels["unreadable-recording"] = .off }
            return Replay.run(options)
        }
        for report in [run("a.har", "b.har"), run("b.har"), run("b.har", off: true), run("a.har", "b.har", off: true)] {
            #expect(report.outcome == .couldNotRun && report.findings.map(\.rule) == ["unreadable-recording"])
        }
        // The entries of one that was cut are judged.
        #expect(run("cut.har").outcome == .findings)
        #expect(run("cut.har").findings.map(\.rule).contains("undeclared-response"))
        #expect(run("a.har", "none.har").findings.map(\.rule) == ["missing-file"])
    }

    @Test func aReaderStopsWhenItNeedsNoMore() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "y\n", count: 1 << 19), to: "a.har")
        var chunks = 0
        try SystemCall.readChunks(of: folder.path("a.har")) { _ in
            chunks += 1
            return false
        }
        #expect(chunks == 1)
    }

    /// A link in a stranger's project leads to no other place.
    @Test func aLinkOutOfTheProjectIsNotFollowed() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.write(Self.contract, to: "shop.contract.yaml")
        try other.write(Self.recording, to: "b.har")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("a.har"), withDestinationPath: other.path("b.har"))
        let path = folder.path("shop.contract.yaml")
        func run(_ file: String) -> ReplayReport {
            Replay.run(ReplayOptions(recordings: [file], contracts: [path], in: ProjectBoundary(naming: [path])))
        }
        #expect(run(folder.path("a.har")).findings.map(\.rule) == ["outside-project"])
        // What a person names elsewhere is the person's.
        #expect(run(other.path("b.har")).findings.map(\.rule) == ["undeclared-response"])
    }
}
