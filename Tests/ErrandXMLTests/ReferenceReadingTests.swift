import ErrandJSON
import ErrandRuntime
import Foundation
import TestPrograms
import TestSeeds
import Testing

@testable import ErrandXML

/// Elements, attributes, text, namespaces, entities and CDATA sections of a document are those that another parser reads: Python's,
/// which is built on expat.
@Suite(
    .enabled(
        if: PythonTools.areInstalled, "`scripts/install-python-tools` installs Python"))
struct ReferenceReadingTests {
    @Test func documentsAreReadAsAnotherParserReadsThem() throws {
        let seed = SeededGenerator.newSeed()
        var documents = RandomDocuments(seed: seed)
        let all = (0..<400).map { _ in documents.next() }
        let readings = try Self.reference(all)
        for (document, wanted) in zip(all, readings) {
            let wanted = try #require(
                wanted, "ERRAND_SEED=\(seed): it is not well-formed: \(String(decoding: document, as: UTF8.self))")
            let found = Self.reading(document)
            #expect(
                found.map { Array($0.utf8) } == Array(wanted.utf8),
                "ERRAND_SEED=\(seed): \(String(decoding: document, as: UTF8.self))\n\(found ?? "none")\n\(wanted)")
        }
    }

    /// Documents with a mistake in them are refused, or read in the same way. Only what is removed before the parser may have one.
    @Test func damagedDocumentsAreReadAsAnotherParserReadsThem() throws {
        let seed = SeededGenerator.newSeed()
        var documents = RandomDocuments(seed: seed)
        let all = (0..<1_500).map { _ in documents.nextDamaged() }
        let readings = try Self.reference(all)
        var count = 0
        for (document, wanted) in zip(all, readings) {
            let found = Self.reading(document)
            let text = String(decoding: document, as: UTF8.self)
            if let found, let wanted {
                count += 1
                #expect(Array(found.utf8) == Array(wanted.utf8), "ERRAND_SEED=\(seed): \(text)\n\(found)\n\(wanted)")
            } else if wanted != nil {
                // A damaged name of a namespace may be no URI.
                if !text.contains("xmlns") { Issue.record("ERRAND_SEED=\(seed): it is refused: \(text)") }
            } else if found != nil {
                #expect(text.contains("<!") || text.contains("<?"), "ERRAND_SEED=\(seed): it is read: \(text)")
            }
        }
        #expect(count > 20)
    }

    // MARK: Readings

    /// Everything in a document as one text; nil if it is not well-formed.
    private static func reading(_ document: [UInt8]) -> String? {
        guard let tree = try? TreeBuilder.tree(of: DocumentText.utf8(document, charset: nil)) else { return nil }
        return text(of: 0, in: tree)
    }

    private static func text(of node: DocumentTree.Node, in tree: DocumentTree) -> String {
        let attributes = tree.attributes(node).map { attribute in
            measured(expanded(tree.names[Int(attribute.name)])) + measured(attribute.value)
        }
        let sorted = attributes.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return measured(expanded(tree.name(node))) + "@" + sorted.joined() + "." + measured(tree.ownText(node))
            + measured(tree.text(node)) + "[" + tree.children(node).map { text(of: $0, in: tree) }.joined() + "]"
    }

    private static func expanded(_ name: XMLName) -> String {
        guard let namespace = name.namespace, !namespace.isEmpty else { return name.local }
        return "{\(namespace)}\(name.local)"
    }

    /// A text after its length, so that texts beside each other cannot be taken for others.
    private static func measured(_ text: String) -> String { "\(text.unicodeScalars.count):\(text)" }

    private static let script = """
        import base64, json, sys
        from xml.etree import ElementTree

        def measured(text): return f"{len(text)}:{text}"

        def reading(element):
            attributes = sorted(measured(name) + measured(value) for name, value in element.attrib.items())
            own = (element.text or "") + "".join(child.tail or "" for child in element)
            return (measured(element.tag) + "@" + "".join(attributes) + "." + measured(own)
                    + measured("".join(element.itertext())) + "[" + "".join(map(reading, element)) + "]")

        def read(document):
            try:
                return reading(ElementTree.fromstring(base64.b64decode(document)))
            except (ElementTree.ParseError, LookupError, ValueError):
                return None

        print(json.dumps([read(document) for document in json.load(open(sys.argv[1]))]))
        """

    private static func reference(_ documents: [[UInt8]]) throws -> [String?] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("errand-xml-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try JSONEncoder().encode(documents.map { Data($0) }).write(to: file)
        let process = Process()
        process.executableURL = PythonTools.python
        process.arguments = ["-c", script, file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([String?].self, from: data)
    }
}
