/// A place as the client counts: lines from 0, and in the line the units of the encoding that was agreed on.
struct ClientPosition: Codable, Hashable, Comparable {
    var line: Int
    var character: Int

    static func < (left: ClientPosition, right: ClientPosition) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }
}

struct ClientRange: Codable, Hashable {
    var start: ClientPosition
    var end: ClientPosition
}

struct ClientLocation: Codable, Hashable {
    var uri: String
    var range: ClientRange
}

/// The unit of a position's `character`.
enum PositionEncoding: String, Codable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
}

struct DocumentReference: Decodable {
    var uri: String
}

struct DidOpenParameters: Decodable {
    struct Document: Decodable {
        var uri: String
        var version: Int
        var text: String
    }

    var textDocument: Document
}

struct DidChangeParameters: Decodable {
    struct Document: Decodable {
        var uri: String
        var version: Int?
    }

    /// One edit; without a range the text is the whole new one.
    struct Change: Decodable {
        var range: ClientRange?
        var text: String
    }

    var textDocument: Document
    var contentChanges: [Change]
}

/// The parameters of a request about a document as a whole.
struct DocumentParameters: Decodable {
    var textDocument: DocumentReference
}

/// The parameters of a request about a place in a document.
struct PositionParameters: Decodable {
    var textDocument: DocumentReference
    var position: ClientPosition
}

struct ReferenceParameters: Decodable {
    struct Context: Decodable {
        var includeDeclaration: Bool
    }

    var textDocument: DocumentReference
    var position: ClientPosition
    var context: Context?
}

struct RenameParameters: Decodable {
    var textDocument: DocumentReference
    var position: ClientPosition
    var newName: String
}

struct CodeActionParameters: Decodable {
    struct Context: Decodable {
        var only: [String]?
    }

    var textDocument: DocumentReference
    var range: ClientRange
    var context: Context?
}

struct WatchedFilesParameters: Decodable {
    var changes: [DocumentReference]
}
