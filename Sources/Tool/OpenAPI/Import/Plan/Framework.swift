/// A web framework that writes OpenAPI documents, and what a service in it sends besides what its document declares.
///
/// The table is in `FrameworkTable.swift`. Its responses were measured: `docs/frameworks.md` says how.
struct Framework: Sendable {
    let name: String
    /// The version that was measured.
    let version: String
    /// What its tool writes into every document. The title is none of it, because authors change it.
    let facts: [DocumentFact]
    /// The members of a failure that says in a text what is wrong. The first one is the text.
    let members: [Member]
    let failures: [Failure]
    /// What becomes of a number that is NaN, in a sentence.
    let nan: String

    struct Member: Sendable {
        let wire: String
        let type: PlannedType
        var isOptional = false
    }

    /// A failure that it sends without declaring it.
    struct Failure: Sendable {
        enum Content: Sendable {
            /// The members of the framework.
            case text
            /// A list of objects with these members, as `detail`.
            case list([Member])
            /// What is wrong with each member of a request, by the member's name.
            case faults
        }

        let status: Int
        var content = Content.text
        let doc: String
        /// What most operations of a document ask for, if the framework sends the failure.
        var credentials = Set(FirstCredential.allCases)
        /// What it may mean besides, in a sentence.
        var note: String?
    }

    /// The framework that wrote a document; nil if the table has none that fits.
    static func recognized(in document: APIDocument) -> Framework? {
        all.first { framework in framework.facts.allSatisfy { $0.holds(in: document) } }
    }
}

/// The credential that most operations of a document ask for first. A framework responds by it to a request without any.
enum FirstCredential: Sendable, CaseIterable {
    case nothing
    case cookie
    /// A key, a token or a password in each request.
    case key
    /// A token of OAuth 2.
    case flow

    init(of document: APIDocument) {
        let schemes = Dictionary(document.schemes.map { ($0.name, FirstCredential($0.value)) }) { first, _ in first }
        var counts: [FirstCredential: Int] = [:]
        for operation in document.operations {
            let needs = (operation.security ?? document.security).map(\.named).first { !$0.isEmpty } ?? []
            counts[needs.first.flatMap { schemes[$0.name] } ?? .nothing, default: 0] += 1
        }
        // Public operations say nothing about the others.
        if counts.count > 1 { counts[.nothing] = nil }
        self = Self.allCases.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .nothing
    }

    private init(_ scheme: Element) {
        switch scheme.text("type") {
        case "oauth2", "openIdConnect": self = .flow
        case "apiKey" where scheme.text("in") == "cookie": self = .cookie
        default: self = .key
        }
    }
}
