import ContractDiff
import ContractModel
import Diagnostics
import Testing

/// Two versions of a contract in a test.
struct ContractPair {
    let old: ContractExamination
    let new: ContractExamination
    let changes: [Change]

    /// - Parameter imports: The files that both versions import.
    init(_ old: String, _ new: String, imports: [String: String] = [:]) throws {
        self.old = Self.examine(old, "old.contract.yaml", imports)
        self.new = Self.examine(new, "new.contract.yaml", imports)
        let changes = ContractComparison.changes(from: self.old, to: self.new)
        let problems = Self.problems(self.old) + Self.problems(self.new)
        self.changes = try #require(changes, "\(problems)")
    }

    static func examine(_ text: String, _ file: String, _ imports: [String: String] = [:]) -> ContractExamination {
        var files = imports
        files[file] = text
        return ContractResolver(provider: MemorySource(files: files)).examine(path: file)
    }

    private static func problems(_ examination: ContractExamination) -> String {
        examination.findings.filter { $0.severity == .error }.map { "\($0.range?.description ?? ""): \($0.message)\n" }
            .joined()
    }

    /// The changes in lines, for the messages of failed expectations.
    var listing: String {
        changes.map { change in
            let columns = change.verdict.columns.map { "\($0.name) \($0.judgment)" }.joined(separator: "; ")
            return "\(change.summary) [\(change.verdict.direction.map { "\($0)" } ?? "-")] \(columns)"
        }.joined(separator: "\n")
    }

    func change(at path: String) -> Change? { changes.first { $0.path == path } }
}

/// Files in memory.
struct MemorySource: SourceProvider {
    var files: [String: String]

    func read(_ path: String) -> SourceReading {
        guard let text = files[path] else {
            return .failure(rule: .missingFile, message: "there is no file `\(path)`", help: nil)
        }
        return .bytes(Array(text.utf8))
    }
}

/// A contract of which tests edit a line or two.
enum SampleContract {
    static let text = """
        errand: 1
        service: Bank
        version: 1.0.0
        servers:
          production: https://api.bank.example/v1
          test: https://test.bank.example/v1
        session:
          header: Authorization
          format: "Bearer {token}"
          login: logIn
          token: token
        envelopes:
          standard:
            data: data
            error: error
            code: code
        errors:
          expired:
            category: requiresLogout
            when: {status: 401}
          overloaded:
            category: retryable
            when: {status: 503}
            message: Please try again.
          noFunds:
            category: nonRetryable
            when: {status: 422}
            data: {missing: decimal, limit: int?}
          frozen:
            category: nonRetryable
            when: {status: 409}
        defaults:
          envelope: standard
          session: required
          timeout: 20s
          retry: {attempts: 3}
          errors: [expired]
        types:
          Account:
            id: int
            owner: {type: string, sensitive: true}
            status: Status
            kind: Kind
            nickname: string?
            openedAt: timestamp
            media: Media?
          Status:
            enum: [active, closed]
          Kind:
            enum: [debit, credit]
            closed: true
          Channel:
            enum: [branch, app]
          Media:
            union: {by: type, cases: {image: Picture, text: Note}}
          Picture: {url: string}
          Note: {body: string}
        endpoints:
          logIn:
            post: /sessions
            session: none
            body: {user: string, password: string}
            response: {token: string}
            effect: idempotent
          listAccounts:
            get: /accounts
            query: {status: Status?, page: int = 1}
            response: [Account]
            paginate: {page: page, total: total}
          getAccount:
            get: /accounts/{id:int}
            response: Account
          transfer:
            post: /transfers
            body: {amount: {type: decimal, range: 1..500}, note: string?, channel: Channel}
            response: {confirmation: int, reference: string?, memo: {type: string, length: 0..80}}
            effect: keyed
            errors: [noFunds]
            outcomes:
              needsApproval:
                when: {status: 202}
                data: {approver: string}
          order:
            post: /orders
            body: {card: int}
            response: none
            errors: [overloaded]

        """

    /// The contract after an edit.
    static func replacing(_ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> String
    {
        try #require(text.contains(old), "the sample does not have \(old)", sourceLocation: sourceLocation)
        return text.replacing(old, with: new)
    }
}
