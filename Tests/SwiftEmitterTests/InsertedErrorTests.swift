import SwiftEmitter
import Testing

/// Errors go by name, so that a new one is all that changes.
@Suite struct InsertedErrorTests {
    private static func contract(errors: String, listed: String) -> String {
        """
        errand: 1
        service: Shop
        servers: {production: https://shop.example}
        envelopes: {standard: {data: data, code: code}}
        errors:
        \(errors)  soldOut: {category: nonRetryable, message: Sold out., when: {code: 2}}
          closed: {category: retryable, message: Closed., when: {status: 503}}
        defaults: {envelope: standard, errors: [closed]}
        endpoints:
          look: {get: /look, response: string, errors: [soldOut]}
          list: {get: /list, response: string}
          buy:
            post: /buy
            response: string
            errors: [\(listed)soldOut]
            outcomes: {waits: {when: {code: 3}}}
        """
    }

    @Test func nothingElseChanges() throws {
        let before = try EmittedContract(Self.contract(errors: "", listed: ""))
        let inserted = "  tooMany: {category: nonRetryable, message: Too many., when: {code: 1}, data: {limit: int}}\n"
        let after = try EmittedContract(Self.contract(errors: inserted, listed: "tooMany, "))
        #expect(before.findings.isEmpty && after.findings.isEmpty)
        #expect(before.files.count == after.files.count)
        for (old, new) in zip(before.files, after.files) {
            #expect(old.path == new.path)
            var rest = Self.lines(old)[...]
            var added: [Substring] = []
            for line in Self.lines(new) {
                if line == rest.first { rest = rest.dropFirst() } else { added.append(line) }
            }
            #expect(rest.isEmpty, "\(old.path) has lost or changed \(rest.first ?? "")")
            if added.isEmpty { continue }
            #expect(added.contains { $0.contains("tooMany") || $0.contains("TooMany") }, "\(old.path): \(added)")
        }
    }

    /// All lines but those that list the keys of the contract's data, to which an error with data of its own adds some.
    private static func lines(_ file: OutputFile) -> [Substring] {
        let text = String(decoding: file.bytes, as: UTF8.self).replacing(/declaredKeys: \[[^\]]*\]/, with: "")
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { Substring(String($0)) }
    }
}
