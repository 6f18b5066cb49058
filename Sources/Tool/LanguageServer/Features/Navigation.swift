import ContractModel
import Diagnostics
import Pipeline

/// Where names are defined and used.
extension LanguageServer {
    func definition(_ parameters: PositionParameters) -> [ClientLocation] {
        guard let spot = spot(parameters.textDocument, parameters.position) else { return [] }
        if spot.place.meaning == .contract, !spot.cursor.word.isEmpty {
            let path = DocumentAddress.normalized(DocumentAddress.folder(of: spot.path) + "/" + spot.word)
            guard spot.path.hasPrefix("/"),
                case .bytes = workspace.texts.read(path, in: workspace.project(of: spot.path).boundary)
            else { return [] }
            let start = ClientPosition(line: 0, character: 0)
            return [ClientLocation(uri: workspace.texts.uri(of: path), range: ClientRange(start: start, end: start))]
        }
        guard let name = spot.name, let found = spot.look.examination.definition(of: name.name, name.kind) else {
            return []
        }
        return [location(of: found.name.range, spot.look.texts, spot.project)]
    }

    func references(_ parameters: ReferenceParameters) -> [ClientLocation] {
        guard let spot = spot(parameters.textDocument, parameters.position) else { return [] }
        let includesDefinition = parameters.context?.includeDeclaration ?? true
        return NameSearch(spot, workspace).uses.filter { includesDefinition || !$0.isDefinition }.map {
            ClientLocation(uri: workspace.texts.uri(of: $0.path), range: $0.text.range($0.bytes, client.encoding))
        }
    }

    func highlights(_ parameters: PositionParameters) -> [DocumentHighlight] {
        guard let spot = spot(parameters.textDocument, parameters.position) else { return [] }
        return NameSearch(spot, workspace).uses.filter { $0.path == spot.path }.map {
            DocumentHighlight(range: $0.text.range($0.bytes, client.encoding), kind: $0.isDefinition ? 3 : 2)
        }
    }

    /// The facts about a place; `nil` if the document is not open or isn't a contract.
    func spot(_ document: DocumentReference, _ position: ClientPosition) -> Spot? {
        let path = DocumentAddress.path(of: document.uri)
        guard let text = workspace.texts[path]?.text, workspace.isContract(path) else { return nil }
        return Spot(path, workspace.project(of: path), text, at: text.offset(of: position, client.encoding))
    }
}

/// The places that mean what the name at a spot means: in the contract where it is defined and in all that import it, of the
/// project and of what is open.
struct NameSearch {
    struct Use {
        var path: String
        var text: DocumentText
        var bytes: Range<Int>
        var isDefinition: Bool
    }

    /// In the order of paths and places.
    private(set) var uses: [Use] = []
    /// The contracts in which the name means this, by path, and those of which nothing is known.
    private(set) var scope: [String] = []
    private(set) var unreadable: [String] = []
    /// The place of the name's definition; `nil` if the spot has no name, or the name has no definition.
    private(set) var definition: Located<String>?
    /// Whether some place says the name in a way that could not be told apart from what is around it.
    private(set) var isExact = true

    init(_ spot: Spot, _ workspace: Workspace) {
        guard let name = spot.name, let (definition, _) = spot.look.examination.definition(of: name.name, name.kind)
        else { return }
        self.definition = definition
        let home = spot.project.path(of: definition.range.file)
        for path in Self.candidates(spot, home, workspace) {
            let look = path == spot.path ? spot.look : spot.project.readableLook(at: path)
            guard look.examination.written != nil, let document = look.examination.document else {
                unreadable.append(path)
                continue
            }
            guard let meant = look.examination.definition(of: name.name, name.kind),
                spot.project.path(of: meant.name.range.file) == home
            else { continue }
            scope.append(path)
            let text = look.texts[path]
            for use in NameUses(document).all where use.kind == name.kind && use.name.value == name.name {
                let bytes = use.name.range.start.offset..<use.name.range.end.offset
                // A name with an escape is not in the text as it is.
                guard bytes.upperBound <= text.bytes.count, text.bytes[bytes].elementsEqual(name.name.utf8) else {
                    isExact = false
                    continue
                }
                let isDefinition = path == home && use.name.range.start == definition.range.start
                uses.append(Use(path: path, text: text, bytes: bytes, isDefinition: isDefinition))
            }
        }
        uses.sort { ($0.path, $0.bytes.lowerBound) < ($1.path, $1.bytes.lowerBound) }
    }

    private static func candidates(_ spot: Spot, _ home: String, _ workspace: Workspace) -> [String] {
        let open = workspace.openContracts.filter { workspace.project(of: $0) === spot.project }
        return Set(spot.project.contracts + open + [spot.path, home]).sorted()
    }
}
