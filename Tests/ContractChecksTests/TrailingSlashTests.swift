import ContractChecks
import Diagnostics
import Testing

/// Which of the two ends of a path is reported depends on the other paths, since Django and others end each path with `/`.
@Suite struct TrailingSlashTests {
    private let file = "sample.contract.yaml"

    private func text(_ paths: [String]) -> String {
        let head =
            "errand: 1\nservice: Sample\nservers: {main: https://sample.example}\n"
            + "defaults: {timeout: 10s, deadline: 40s}\nendpoints:\n"
        return paths.enumerated().reduce(head) {
            $0 + "  read\($1.offset): {get: \"\($1.element)\", response: string}\n"
        }
    }

    private func findings(_ text: String) -> [Diagnostic] {
        RuleCase.findings(in: file, [file: text]).filter { $0.rule == "trailing-slash" }
    }

    @Test(arguments: [
        (["/a/", "/b", "/c"], ["read0"]),
        (["/a/", "/b/"], ["read0", "read1"]),
        (["/a/", "/b/", "/c/"], []),
        (["/a/", "/b/{id:int}/", "/c/", "/d/{id:int}", "/e"], ["read3", "read4"]),
        (["/a/", "/b/", "/c/", "/d", "/e", "/f"], ["read0", "read1", "read2"]),
        // These have no other form, or are files.
        (["/a/", "/b/", "/c/", "/", "/schema.json", "/v1.2/{id:int}.xml"], []),
        (["/", "/a", "/b"], []),
    ])
    func theUnusualEndIsReported(_ paths: [String], _ wanted: [String]) {
        let found = findings(text(paths))
        #expect(found.map { $0.message.split(separator: "`")[1] } == wanted.map { Substring($0) }, "\(listing(found))")
    }

    @Test func theMissingSlashCanBeAdded() throws {
        let text = text(["/a/", "/b/", "/c/", "/d/{id:int}"])
        let finding = try #require(findings(text).first)
        #expect(finding.message == "the path of `read3` does not end with `/`, but most paths of the contract do")
        let fixed = FixApplication([try #require(finding.fix)], to: Array(text.utf8), of: file)
        #expect(String(decoding: fixed.bytes, as: UTF8.self) == text.replacing("/d/{id:int}", with: "/d/{id:int}/"))
    }
}
