import ContractModel
import Diagnostics

/// The text of an error for people, as the contract has it.
package struct ContractText: Sendable, Equatable {
    /// What the runtime asks the app for: `Bank.insufficientFunds` (`FailureContext.messageKey`).
    package let key: String
    package let text: String
    /// What a translator has to know, on one line.
    package let comment: String
    /// Where the contract has it.
    package let place: SourceRange?

    package init(key: String, text: String, comment: String, place: SourceRange? = nil) {
        self.key = key
        self.text = text
        self.comment = comment
        self.place = place
    }

    /// The texts of a service, in the order of their keys. A built-in error has one if the contract gives it a message of its own.
    package static func texts(of contract: ResolvedContract) -> [ContractText] {
        let service = contract.service.value
        return (contract.errors + contract.redeclared).compactMap { error in
            guard let message = error.message else { return nil }
            return ContractText(
                key: "\(service).\(error.name.value)", text: message.value, comment: comment(on: error, of: contract),
                place: message.range)
        }.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    }

    /// The keys of the errors without a text of the contract. An app can have texts for them.
    package static func keysWithoutText(of contract: ResolvedContract) -> [String] {
        (contract.errors + contract.redeclared).filter { $0.message == nil }.map {
            "\(contract.service.value).\($0.name.value)"
        }
    }

    /// How the comments on the errors of a service begin. Lines of people do not.
    static func commentStart(of service: some StringProtocol) -> String { "Error of \(service). " }

    private static func comment(on error: ErrorDefinition, of contract: ResolvedContract) -> String {
        let service = contract.service.value
        let action =
            switch error.category.value {
            case .retryable: "The app offers to try again."
            case .nonRetryable: "The app does not offer to try again."
            case .requiresLogout: "The user has to log in again."
            }
        let words = error.doc?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let names = contract.placeholders(of: error).map { "{\($0.name)}" }
        let data =
            names.isEmpty ? nil : "The app puts the error's data in place of \(names.joined(separator: ", "))."
        return ([commentStart(of: service) + action] + [words, data].compactMap { $0 }).joined(separator: " ")
    }
}

/// What an update has changed in a catalog, and the new text of the file.
package struct CatalogUpdate: Sendable, Equatable {
    package var text: String
    /// The keys that the catalog did not have.
    package var added: [String] = []
    /// The keys whose text is another one in the contract. Their translations are marked.
    package var changed: [String] = []
    /// The keys of the services that no contract has any more. They stay in the catalog, and are marked.
    package var unused: [String] = []
    /// Placeholders of translations that the contract's text does not have, so that nothing is shown in their place.
    package var unknownPlaceholders: [UnknownPlaceholder] = []
    /// The bytes before the keys of the catalog, as it was.
    package var places: [String: Int] = [:]

    package struct UnknownPlaceholder: Sendable, Hashable {
        package let key: String
        package let name: String
    }

    /// A report shows fewer of them.
    static let mostPlaceholders = 1_000

    private var found: Set<UnknownPlaceholder> = []
    /// The placeholders of the text whose translations are being checked, of which there can be many.
    private var checkedKey: String?
    private var checkedNames: Set<String> = []

    /// Looks for unknown placeholders in a translation.
    mutating func check(_ translation: String, of text: ContractText) {
        guard translation.utf8.contains(UInt8(ascii: "{")) else { return }
        if checkedKey != text.key {
            checkedKey = text.key
            checkedNames = Set(MessageTemplate(text.text).names)
        }
        for name in MessageTemplate(translation).names where !checkedNames.contains(name) {
            guard unknownPlaceholders.count < Self.mostPlaceholders else { return }
            let placeholder = UnknownPlaceholder(key: text.key, name: name)
            if found.insert(placeholder).inserted { unknownPlaceholders.append(placeholder) }
        }
    }

    package init(text: String) { self.text = text }
}

/// Why a catalog cannot be updated.
package struct CatalogProblem: Error, Equatable {
    package let message: String
    /// The number of bytes before the mistake.
    package let offset: Int
}

/// The forms of a catalog.
package enum CatalogFormat: String, Sendable, CaseIterable {
    /// Xcode's string catalog, with all languages.
    case xcstrings
    /// An object of one language, from keys to texts.
    case json

    /// The format of a file with this name.
    package init?(path: String) {
        guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") }) else {
            return nil
        }
        self = format
    }

    /// What to write in place of the name of a file without a format.
    package static func help(for path: String) -> String {
        let help = "name a file whose name ends with .xcstrings or .json"
        guard path.lowercased().hasSuffix(".strings") else { return help }
        return help + "; Xcode converts a strings file into a string catalog (.xcstrings)"
    }

    /// Brings a catalog up to date. What translators have written is kept.
    ///
    /// - Parameters:
    ///   - existing: the bytes of the catalog; nil for a new one.
    ///   - others: the keys of the services that have no text, and are in use.
    ///   - services: the services whose keys the catalog has. All others belong to the app, and are not touched.
    ///   - language: the language of the contracts, for a new string catalog.
    package func update(
        _ existing: [UInt8]?, with texts: [ContractText], others: [String] = [], of services: [String], language: String
    ) throws(CatalogProblem) -> CatalogUpdate {
        let keys = ContractKeys(texts, others, of: services)
        return switch self {
        case .xcstrings: try StringCatalog(existing, language: language).updated(with: texts, keys)
        case .json: try FlatCatalog(existing).updated(with: texts, keys)
        }
    }
}

/// The keys that belong to contracts: a service's name, a dot, and the name of an error.
struct ContractKeys {
    private let current: Set<String>
    private let services: Set<String>

    init(_ texts: [ContractText], _ others: [String], of services: [String]) {
        current = Set(texts.map(\.key) + others)
        self.services = Set(services)
    }

    /// Whether a key belongs to one of the services, which no longer has it.
    func isUnused(_ key: String) -> Bool {
        // Neither a service nor an error has a dot in its name.
        guard let dot = key.lastIndex(of: "."), services.contains(String(key[..<dot])), !current.contains(key) else {
            return false
        }
        return key[dot...].dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
