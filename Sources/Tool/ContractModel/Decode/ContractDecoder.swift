import Diagnostics
import YAMLTree

/// Reads a tree into a ``Contract``. It checks that every key is known and every value has its kind, and drops nothing
/// silently.
///
/// It continues after a problem, so that one run reports all problems. The result omits the parts that could not be read, and the
/// diagnostics name them. A contract with errors is returned as far as it could be read, so that the resolver can add its own
/// findings.
///
/// Architecture invariant: it looks at one file only. The resolver finds the targets of names.
package struct ContractDecoder {
    let document: YAMLDocument
    var findings = DiagnosticBag()
    /// The owner of the fields that are being read.
    var owner: InlinePlace.Owner?
    /// The structures that are the inside of a field.
    var inlineTypes: [TypeDefinition] = []
    /// Which pair is read for a key that is missing, since its own key is misspelled: by where the mapping begins.
    var corrections: [Int: [String: Int]] = [:]

    init(document: YAMLDocument) {
        self.document = document
    }

    /// The result of decoding a document.
    package struct Result: Sendable {
        /// `nil` where not even the service's name could be read.
        package var contract: Contract?
        package var diagnostics: [Diagnostic]
    }

    package static func decode(_ document: YAMLDocument) -> Result {
        var decoder = ContractDecoder(document: document)
        let contract = decoder.contract(document.root)
        return Result(contract: contract, diagnostics: decoder.findings.diagnostics)
    }

    private mutating func contract(_ node: YAMLNode) -> Contract? {
        if reportForeignDocument(node) { return nil }
        var contract = Contract(file: document.file, service: Located("", at: node.range))
        guard read(node, as: ContractKeys.mapping, into: &contract) else { return nil }
        contract.types += inlineTypes
        return contract
    }

    /// Letters, digits and `_` of ASCII, not beginning with a digit.
    func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy(Self.isLetterOrDigit)
    }

    /// A letter or a digit of ASCII, or `_`.
    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
            || byte == 0x5F
    }

    /// The nearest name that is valid for a type, for a message.
    func typeName(_ text: String) -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let joined = words.map { NameWords.capitalized(String($0)) }.joined()
        guard let first = joined.first else { return "Name" }
        return first.isNumber ? "Type" + joined : joined
    }
}
