import Foundation
import Testing

/// `scripts/swift-test` runs the test targets in several processes, and names the targets of each.
@Suite struct TestProcessTests {
    @Test func oneProcessRunsEachTestTarget() throws {
        let script = try String(
            contentsOf: SourceTree.root.appendingPathComponent("scripts/swift-test"), encoding: .utf8)
        let lists = script.matches(of: /(?m)^readonly (?:tool|transports|rest)=\(([\w\s]+)\)$/)
        #expect(lists.count == 3, "the lists are found")
        let named = lists.flatMap { $0.1.split { $0.isWhitespace } }.map { "\($0)Tests" }
        #expect(Set(named).count == named.count, "a target is in one list")
        let wanted = Set(try Manifest.ofCheckout().targets.filter { $0.kind == "test" }.map(\.name))
        for name in wanted.subtracting(named).sorted() {
            Issue.record("\(name) is in no process: add it to a list of scripts/swift-test")
        }
        for name in Set(named).subtracting(wanted).sorted() { Issue.record("scripts/swift-test names \(name)") }
    }
}
