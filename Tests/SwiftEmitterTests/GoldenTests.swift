import Foundation
import SwiftEmitter
import Testing

/// Contracts with the output that is wanted of them. Each folder in `Cases` is one, and the contract of everything, whose
/// output other tests compile and run, is another.
///
/// `ERRAND_RECORD=1 swift test --filter GoldenTests` writes the output anew. A run that records fails, so that no one
/// takes it for a test.
@Suite struct GoldenTests {
    struct Case: CustomTestStringConvertible {
        let contract: URL
        /// The folder whose folders are the clients.
        let output: URL
        var options = EmitterOptions()
        var testDescription: String { contract.deletingPathExtension().deletingPathExtension().lastPathComponent }
    }

    private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    static let cases: [Case] = {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: here.appendingPathComponent("Cases").path)) ?? []
        let small = names.sorted().map { name in
            let folder = here.appendingPathComponent("Cases/\(name)")
            return Case(
                contract: folder.appendingPathComponent("\(name).contract.yaml"),
                output: folder.appendingPathComponent("wanted"),
                options: EmitterOptions(
                    conformances: name == "conformances" ? [.hashable, .codable, .identifiable] : [],
                    hasProtocol: name == "protocol"))
        }
        let fixture = here.deletingLastPathComponent().appendingPathComponent("Support/GeneratedFixture")
        return small + [
            Case(
                contract: fixture.appendingPathComponent("everything.contract.yaml"),
                output: fixture.appendingPathComponent("wanted"))
        ]
    }()

    @Test(arguments: cases)
    func outputIsWhatIsWanted(_ golden: Case) throws {
        let emitted = try EmittedContract(
            String(contentsOf: golden.contract, encoding: .utf8), file: golden.contract.lastPathComponent,
            options: golden.options)
        #expect(emitted.findings.isEmpty)
        if ProcessInfo.processInfo.environment["ERRAND_RECORD"] != nil { return try record(emitted, golden) }
        var wanted = try files(in: golden.output)
        for file in emitted.files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            guard let recorded = wanted.removeValue(forKey: file.path) else {
                Issue.record("\(file.path) is not recorded; ERRAND_RECORD=1 swift test --filter GoldenTests")
                continue
            }
            if text != recorded {
                let pair = zip(
                    text.split(separator: "\n", omittingEmptySubsequences: false),
                    recorded.split(separator: "\n", omittingEmptySubsequences: false))
                let difference = pair.enumerated().first { $0.element.0 != $0.element.1 }
                Issue.record(
                    "\(file.path):\((difference?.offset ?? -1) + 1) is `\(difference?.element.0 ?? "")`; ERRAND_RECORD=1 swift test --filter GoldenTests"
                )
            }
        }
        for orphan in wanted.keys.sorted() { Issue.record("\(orphan) is recorded, and nothing makes it") }
    }

    private func record(_ emitted: EmittedContract, _ golden: Case) throws {
        try? FileManager.default.removeItem(at: golden.output)
        for file in emitted.files {
            let target = golden.output.appendingPathComponent(file.path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: target)
        }
        Issue.record("recorded \(emitted.files.count) files; look at them, then run without ERRAND_RECORD")
    }

    private func files(in folder: URL) throws -> [String: String] {
        var found: [String: String] = [:]
        let walk = FileManager.default.enumerator(atPath: folder.path)
        while let name = walk?.nextObject() as? String {
            guard name.hasSuffix(".swift") else { continue }
            found[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        return found
    }
}
