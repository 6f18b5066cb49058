import ContractChecks
import ContractModel
import Diagnostics
import Foundation

/// Any bytes as a contract: read, decoded, resolved and linted, with the certain fixes made.
enum ContractProbe {
    private static let path = "sample.contract.yaml"
    /// So many rounds bring all fixes to an end.
    private static let mostRounds = 10

    static func check(_ bytes: [UInt8]) {
        let first = findings(in: bytes)
        var bytes = bytes
        var current = first
        for _ in 0..<mostRounds {
            let fixes = current.filter { $0.file == path }.compactMap(\.fix).filter { $0.applicability == .certain }
            let applied = FixApplication(fixes, to: bytes, of: path)
            guard applied.bytes != bytes else { return }
            bytes = applied.bytes
            current = findings(in: bytes)
            let came = current.filter { $0.severity == .error }.map(\.rule)
            hold(came.isEmpty || first.contains { $0.severity == .error }, "a certain fix brings the errors \(came)")
        }
        hold(false, "certain fixes come to an end")
    }

    private static func findings(in bytes: [UInt8]) -> [Diagnostic] {
        let examination = ContractResolver(provider: Source(bytes: bytes)).examine(path: path)
        let findings = LintRunner().run(examination)
        for finding in findings { hold(finding, in: bytes) }
        let hasErrors = examination.findings.contains { $0.severity == .error }
        hold(
            (examination.resolved == nil) == hasErrors,
            "there is a contract or an error: \(examination.findings.map(\.rule))")
        if let contract = examination.resolved {
            for endpoint in contract.endpoints {
                hold(
                    EndpointExplanation(endpoint.name.value, in: contract) != nil,
                    "`\(endpoint.name.value)` can be explained")
            }
        }
        return findings
    }

    private static func hold(_ finding: Diagnostic, in bytes: [UInt8]) {
        let rule = finding.rule
        hold(
            !rule.isEmpty
                && rule.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D },
            "`\(rule)` is in kebab case")
        hold(!finding.message.isEmpty, "\(rule) has a message")
        let ranges =
            [finding.range].compactMap { $0 } + finding.notes.compactMap(\.range)
            + (finding.fix?.edits.map(\.range) ?? [])
        for range in ranges where range.file == path {
            let offsets = (range.start.offset, range.end.offset)
            hold(
                0 <= offsets.0 && offsets.0 <= offsets.1 && offsets.1 <= bytes.count,
                "\(rule) is in its file, at \(offsets)")
            hold(range.start.line >= 1 && range.start.column >= 1, "\(rule) has a line and a column")
        }
    }

    /// Holds a property, or ends the process, so that the fuzzer keeps the input.
    private static func hold(_ isTrue: Bool, _ property: @autoclosure () -> String) {
        if isTrue { return }
        FileHandle.standardError.write(Data("broken property: \(property())\n".utf8))
        abort()
    }

    /// The input, and a contract that it can import.
    private struct Source: SourceProvider {
        let bytes: [UInt8]

        func read(_ path: String) -> SourceReading {
            switch path {
            case ContractProbe.path: .bytes(bytes)
            case _ where path.hasSuffix(".yaml"): .bytes(Array(Self.imported.utf8))
            default: .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
            }
        }

        private static let imported = """
            errand: 1
            service: Library
            session: {header: Authorization, format: "Bearer {token}", login: logIn, token: token, logout: logOut}
            envelopes: {standard: {data: data, error: error, code: error.code, message: error.message}}
            errors:
              busy: {category: retryable, when: {status: 503}, message: Try again.}
              gone: {category: nonRetryable, when: {code: 7}, data: {since: timestamp}}
            types:
              Book: {title: string, author: Author?, next: Book?}
              Author: {name: string, kind: Kind}
              Kind: {enum: [person, house]}
            endpoints:
              logIn: {post: /in, session: none, response: {token: string}, effect: idempotent}
              logOut: {post: /out}

            """
    }
}
