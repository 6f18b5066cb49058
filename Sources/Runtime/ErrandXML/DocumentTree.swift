import ErrandRuntime

/// The elements of a document, in few arrays: documents come from outside and may have a million elements.
struct DocumentTree {
    /// The index of an element.
    typealias Node = Int32

    struct Element {
        let name: Int32
        var first: Node = -1
        var last: Node = -1
        var next: Node = -1
        var attributes: Range<Int32>
        /// The text of the element and of everything in it.
        var text: Range<Int>
        var isNull = false
    }

    struct Attribute {
        let name: Int32
        let value: String
    }

    var elements: [Element] = []
    var attributes: [Attribute] = []
    /// All text of the document in its order.
    var text: [UInt8] = []
    private(set) var names: [XMLName] = []
    private var numbers: [XMLName: Int32] = [:]

    mutating func number(of name: XMLName) -> Int32 {
        if let number = numbers[name] { return number }
        let number = Int32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    func name(_ node: Node) -> XMLName { names[Int(elements[Int(node)].name)] }

    func isNull(_ node: Node) -> Bool { elements[Int(node)].isNull }

    func children(_ node: Node) -> [Node] {
        var children: [Node] = []
        var next = elements[Int(node)].first
        while next >= 0 {
            children.append(next)
            next = elements[Int(next)].next
        }
        return children
    }

    func attributes(_ node: Node) -> ArraySlice<Attribute> {
        let range = elements[Int(node)].attributes
        return attributes[Int(range.lowerBound)..<Int(range.upperBound)]
    }

    /// The text of an element and of everything in it, as XPath's `string` has it.
    func text(_ node: Node) -> String { String(decoding: text[elements[Int(node)].text], as: UTF8.self) }

    /// The text of an element without that of the elements in it.
    func ownText(_ node: Node) -> String {
        var own: [UInt8] = []
        var start = elements[Int(node)].text.lowerBound
        for child in children(node) {
            let inner = elements[Int(child)].text
            own += text[start..<inner.lowerBound]
            start = inner.upperBound
        }
        return String(decoding: own + text[start..<elements[Int(node)].text.upperBound], as: UTF8.self)
    }
}

extension XMLName {
    /// Whether a name in a document is this one of a contract.
    func matches(_ name: XMLName) -> Bool { local == name.local && (namespace == nil || namespace == name.namespace) }
}
