import ErrandRuntime
import Testing

extension ServiceClient {
    /// The failure of a command that is meant to fail.
    func failure<C: Command>(
        of command: C, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> C.Failure where C.Service == Self {
        switch await result(of: command) {
        case .success(let response): throw Unexpected("\(C.self) succeeded: \(response)")
        case .failure(let failure): return failure
        }
    }

    /// The built-in error of a command that is meant to fail with one.
    func fault<C: Command>(
        of command: C, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> CommandFault where C.Service == Self {
        let failure = try await failure(of: command, sourceLocation: sourceLocation)
        let kind = try #require(
            CommandFault.Kind(rawValue: failure.context.name), "\(failure)", sourceLocation: sourceLocation)
        return CommandFault(kind, failure.context)
    }
}

/// A failure or response other than the one that a test is about.
struct Unexpected: Error, CustomStringConvertible {
    var description: String
    /// Cut short: it may be a long list of bytes.
    init(_ what: some Any) { description = String("\(what)".prefix(400)) }
}

/// The properties that a test expects of a failure.
struct WantedContext {
    var name: String
    var category: ErrorCategory
    var applied = Applied.never
    var status: Int?
    var code: String?
    var serverMessage: String?
    var attempts = 1
    var evidence = Evidence.responded

    init(
        _ name: String, _ category: ErrorCategory, _ applied: Applied = .never, status: Int?, code: String? = nil,
        says serverMessage: String? = nil, attempts: Int = 1, evidence: Evidence = .responded
    ) {
        self.name = name
        self.category = category
        self.applied = applied
        self.status = status
        self.code = code
        self.serverMessage = serverMessage
        self.attempts = attempts
        self.evidence = evidence
    }
}

extension CommandFailure {
    /// Holds a failure to all that it has to carry: what it is, and what the server said.
    func expect(_ wanted: WantedContext, at url: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        let it = context
        #expect(it.name == wanted.name, sourceLocation: sourceLocation)
        #expect(category == wanted.category, sourceLocation: sourceLocation)
        #expect(ErrorCategory(of: self) == wanted.category, sourceLocation: sourceLocation)
        #expect(it.applied == wanted.applied, sourceLocation: sourceLocation)
        #expect(it.status == wanted.status, sourceLocation: sourceLocation)
        #expect(it.code == wanted.code, sourceLocation: sourceLocation)
        #expect(it.serverMessage == wanted.serverMessage, sourceLocation: sourceLocation)
        #expect(it.attempts == wanted.attempts, sourceLocation: sourceLocation)
        #expect(it.evidence == wanted.evidence, sourceLocation: sourceLocation)
        #expect(!it.message.isEmpty, sourceLocation: sourceLocation)
        if let url { #expect(it.url == url, sourceLocation: sourceLocation) }
    }
}
