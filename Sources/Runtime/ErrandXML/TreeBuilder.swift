import ErrandJSON
import ErrandRuntime
import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Makes a tree of what the system's parser reports. Used by one task, for one document.
final class TreeBuilder: NSObject, XMLParserDelegate {
    private var tree = DocumentTree()
    /// The open elements.
    private var open: [DocumentTree.Node] = []
    /// The namespaces of each prefix, the innermost last.
    private var namespaces: [String: [String]] = [:]
    /// Why the document isn't read on.
    private var fault: JSONError?

    static func tree(of text: [UInt8]) throws(JSONError) -> DocumentTree {
        let (element, start) = try DocumentText.element(in: text)
        // The parser of Foundation on Linux crashes on a name that is not UTF-8.
        guard String(bytes: element, encoding: .utf8) != nil else {
            throw JSONError(code: .invalidUTF8, byteOffset: start)
        }
        let builder = TreeBuilder()
        let parser = XMLParser(data: Data(element))
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = true
        parser.shouldResolveExternalEntities = false
        parser.delegate = builder
        let isWhole = parser.parse()
        if let fault = builder.fault { throw fault }
        guard isWhole, builder.open.isEmpty, !builder.tree.elements.isEmpty else {
            let line = builder.line ?? (number: parser.lineNumber, column: parser.columnNumber)
            // Comments before the mistake are not counted.
            let offset = start + Self.offset(of: line, in: element)
            throw JSONError(
                code: builder.isEndMissing ? .unexpectedEnd : .invalidSyntax,
                byteOffset: offset, expectation: "well-formed XML")
        }
        return builder.tree
    }

    /// Where the parser found a mistake. Its own position is past the end afterwards.
    private var line: (number: Int, column: Int)?
    private var isEndMissing = false

    private static func offset(of line: (number: Int, column: Int), in text: [UInt8]) -> Int {
        var (number, start) = (1, text.startIndex)
        for index in text.indices where text[index] == 0x0A {
            if number == line.number { break }
            number += 1
            start = index + 1
        }
        return min(text.endIndex, start + max(0, line.column - 1))
    }

    private func refuse(_ code: JSONError.Code, _ parser: XMLParser) {
        if fault == nil { fault = JSONError(code: code, byteOffset: 0) }
        parser.abortParsing()
    }

    /// Whether the document is still read. The parser may go on after it was told to stop.
    private var isReading: Bool { fault == nil && line == nil }

    // MARK: Elements

    func parser(
        _ parser: XMLParser, didStartElement local: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard isReading else { return }
        if open.count == SystemXML.maximumDepth { return refuse(.tooDeep, parser) }
        guard tree.elements.count + tree.attributes.count + attributes.count < SystemXML.maximumNodes else {
            return refuse(.refused("more than \(SystemXML.maximumNodes) elements and attributes"), parser)
        }
        let node = DocumentTree.Node(tree.elements.count)
        let name = XMLName(namespace: namespaceURI ?? "", local: local)
        let start = Int32(tree.attributes.count)
        var isNull = false
        // The parser gives them in no order, and the same document must always give the same JSON.
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
            let name = attribute(key)
            if name.namespace == Self.instance {
                if name.local == "nil" { isNull = value == "true" || value == "1" }
            }
            tree.attributes.append(DocumentTree.Attribute(name: tree.number(of: name), value: value))
        }
        tree.elements.append(
            DocumentTree.Element(
                name: tree.number(of: name), attributes: start..<Int32(tree.attributes.count),
                text: tree.text.count..<tree.text.count, isNull: isNull))
        if let parent = open.last {
            let previous = tree.elements[Int(parent)].last
            if previous >= 0 {
                tree.elements[Int(previous)].next = node
            } else {
                tree.elements[Int(parent)].first = node
            }
            tree.elements[Int(parent)].last = node
        }
        open.append(node)
    }

    /// The namespace of the attribute `nil` (XML Schema part 1, section 2.6).
    static let instance = "http://www.w3.org/2001/XMLSchema-instance"
    /// The namespace of the prefix `xml`, which no document declares.
    static let xml = "http://www.w3.org/XML/1998/namespace"

    private func attribute(_ key: String) -> XMLName {
        guard let colon = key.firstIndex(of: ":") else { return XMLName(namespace: "", local: key) }
        let prefix = String(key[..<colon])
        let namespace = prefix == "xml" ? Self.xml : namespaces[prefix]?.last ?? ""
        return XMLName(namespace: namespace, local: String(key[key.index(after: colon)...]))
    }

    func parser(
        _ parser: XMLParser, didEndElement local: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard isReading, let node = open.popLast() else { return }
        let start = tree.elements[Int(node)].text.lowerBound
        tree.elements[Int(node)].text = start..<tree.text.count
    }

    func parser(_ parser: XMLParser, didStartMappingPrefix prefix: String, toURI namespace: String) {
        namespaces[prefix, default: []].append(namespace)
    }

    func parser(_ parser: XMLParser, didEndMappingPrefix prefix: String) { _ = namespaces[prefix]?.popLast() }

    // MARK: Text

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if isReading, !open.isEmpty { tree.text += text.utf8 }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if isReading, !open.isEmpty { tree.text += block }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        guard line == nil else { return }
        line = (parser.lineNumber, parser.columnNumber)
        let code = (error as NSError).code
        isEndMissing =
            code == XMLParser.ErrorCode.prematureDocumentEndError.rawValue
            || code == XMLParser.ErrorCode.unfinishedTagError.rawValue
    }
}
