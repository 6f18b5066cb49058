import ContractModel
import Pipeline

/// A document that the client has open. Its text is the client's, regardless of the disk.
struct OpenText {
    /// As the client spells it.
    let uri: String
    var version: Int
    var text: DocumentText
}

/// The open documents by path, over the files of the disk.
final class OpenTexts {
    private(set) var all: [String: OpenText] = [:]

    subscript(path: String) -> OpenText? {
        get { all[path] }
        set { all[path] = newValue }
    }

    /// The text that is being edited, else the file as it is now, if it is one that the project may use.
    func read(_ path: String, in boundary: ProjectBoundary) -> SourceReading {
        if let open = open(path) { return open }
        return boundary.read(path)
    }

    /// The same for an `errand.yaml`.
    func readConfiguration(_ path: String) -> SourceReading { open(path) ?? ProjectConfiguration.read(path) }

    private func open(_ path: String) -> SourceReading? {
        if let open = all[path] { return .bytes(open.text.bytes) }
        return path.hasPrefix("/") ? nil : .failure(rule: .missingFile, message: "`\(path)` is not open", help: nil)
    }

    func uri(of path: String) -> String { all[path]?.uri ?? DocumentAddress.uri(of: path) }
}
