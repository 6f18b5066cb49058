/// `textDocument/publishDiagnostics`.
struct PublishedDiagnostics: Encodable, Equatable {
    var uri: String
    /// Of the text that they are about; `nil` if the document isn't open.
    var version: Int?
    var diagnostics: [ClientDiagnostic]
}

struct ClientDiagnostic: Encodable, Equatable {
    struct Related: Encodable, Equatable {
        var location: ClientLocation
        var message: String
    }

    var range: ClientRange
    /// 1 error, 2 warning, 3 information.
    var severity: Int
    var code: String
    var source = "errand"
    var message: String
    /// 1 unnecessary, 2 deprecated.
    var tags: [Int]?
    var relatedInformation: [Related]?
}

/// Text for a person, as Markdown if the client supports it.
struct MarkedText: Encodable {
    var kind: String
    var value: String
}

struct Hover: Encodable {
    var contents: MarkedText
    var range: ClientRange
}

struct DocumentSymbol: Encodable {
    var name: String
    var detail: String?
    var kind: Int
    var range: ClientRange
    var selectionRange: ClientRange
    var children: [DocumentSymbol]
}

/// A symbol for a client that knows no hierarchy.
struct SymbolInformation: Encodable {
    var name: String
    var kind: Int
    var location: ClientLocation
    var containerName: String?
}

struct DocumentHighlight: Encodable {
    var range: ClientRange
    /// 2 read, 3 write.
    var kind: Int
}

struct TextEdit: Encodable, Equatable {
    var range: ClientRange
    var newText: String
}

/// Edits of several documents, as versioned changes if the client supports them.
struct WorkspaceEdit: Encodable {
    struct DocumentEdit: Encodable {
        struct Document: Encodable {
            var uri: String
            /// `null` if the document isn't open.
            var version: Int?

            enum CodingKeys: CodingKey {
                case uri, version
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(uri, forKey: .uri)
                try container.encode(version, forKey: .version)
            }
        }

        var textDocument: Document
        var edits: [TextEdit]
    }

    var documentChanges: [DocumentEdit]?
    var changes: [String: [TextEdit]]?
}

struct CodeAction: Encodable {
    var title: String
    var kind: String
    var diagnostics: [ClientDiagnostic]?
    var isPreferred: Bool?
    var edit: WorkspaceEdit
}

struct PreparedRename: Encodable {
    var range: ClientRange
    var placeholder: String
}

struct CompletionList: Encodable {
    var isIncomplete = false
    var items: [CompletionItem]
}

struct CompletionItem: Encodable {
    var label: String
    var kind: Int
    var detail: String?
    var documentation: MarkedText?
    var textEdit: TextEdit
}
