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

    /// The text that is being edited, else the file as it is now.
    func read(_ path: String) -> SourceReading {
        if let open = all[path] { return .bytes(open.text.bytes) }
        guard path.hasPrefix("/") else {
            return .failure(rule: .missingFile, message: "`\(path)` is not open", help: nil)
        }
        return ContractFiles.readFromDisk(path)
    }

    func uri(of path: String) -> String { all[path]?.uri ?? DocumentAddress.uri(of: path) }
}
