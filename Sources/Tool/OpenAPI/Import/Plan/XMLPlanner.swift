import ContractModel

/// Gives the fields of documents in XML their places: attributes, wrapped lists and namespaces, as the `xml` objects of a document
/// have them.
///
/// A type has one wire name for each field. An endpoint whose types occur in JSON too, and would have other wire names in XML, gets
/// its document as bytes.
struct XMLPlanner {
    let types: TypePlanner
    let findings: ImportFindings

    /// - Parameter errors: the types of errors, which are JSON.
    func settle(_ plan: inout ContractPlan, beside errors: [Int]) {
        guard plan.endpoints.contains(where: \.usesXML) else { return }
        let json = types.reached(from: errors + plan.endpoints.flatMap { numbers(of: $0, inXML: false) })
        for position in plan.endpoints.indices where plan.endpoints[position].usesXML {
            refuse(&plan.endpoints[position], json)
        }
        for number in types.reached(from: plan.endpoints.flatMap { numbers(of: $0, inXML: true) }) {
            guard case .structure(let fields) = types.entries[number].form else { continue }
            types.entries[number].form = .structure(placed(fields))
        }
        for position in plan.endpoints.indices {
            if plan.endpoints[position].body?.encoding == .xml,
                case .fields(let fields)? = plan.endpoints[position].body?.content
            {
                plan.endpoints[position].body?.content = .fields(placed(fields))
            }
            if plan.endpoints[position].xmlResponse != nil,
                case .content(.fields(let fields)) = plan.endpoints[position].response
            {
                plan.endpoints[position].response = .content(.fields(placed(fields)))
            }
        }
    }

    /// Makes bytes of the responses of endpoints with errors or outcomes whose data XML cannot express. A failure of an endpoint with
    /// XML may be XML, too, so a contract with them would be refused.
    func settleErrors(_ plan: inout ContractPlan) {
        for position in plan.endpoints.indices where plan.endpoints[position].xmlResponse != nil {
            let errors = plan.endpoints[position].errors + plan.defaultErrors
            let data = errors.map { plan.errors[$0].data } + plan.endpoints[position].outcomes.map(\.data)
            guard let reason = data.lazy.compactMap({ $0 }).compactMap({ problem(of: .type($0), .asTheyAre) }).first
            else { continue }
            readAsBytes(&plan.endpoints[position], "in an error or an outcome, \(reason)")
        }
    }

    // MARK: Which endpoints

    private func numbers(of endpoint: PlannedEndpoint, inXML: Bool) -> [Int] {
        var numbers: [Int] = []
        if let body = endpoint.body, (body.encoding == .xml) == inXML { numbers += body.content?.numbers ?? [] }
        if (endpoint.xmlResponse != nil) == inXML, case .content(let content) = endpoint.response {
            numbers += content.numbers
        }
        if !inXML { numbers += endpoint.outcomes.flatMap { $0.data?.numbers ?? [] } }
        return numbers
    }

    /// Makes bytes of documents that XML or the contract cannot express.
    private func refuse(_ endpoint: inout PlannedEndpoint, _ json: Set<Int>) {
        if endpoint.xmlResponse != nil, case .content(let content) = endpoint.response,
            let reason = problem(of: content, .placed(beside: json))
        {
            readAsBytes(&endpoint, reason)
        }
        if let body = endpoint.body, body.encoding == .xml, let content = body.content,
            let reason = problem(ofElement: body.element) ?? problem(of: content, .placed(beside: json))
        {
            findings.add(
                .openAPIMediaLost, "the XML is sent as bytes, which the app has to create, because \(reason)",
                at: endpoint.element)
            endpoint.body = .init(encoding: .bytes, content: nil, contentType: body.contentType ?? "application/xml")
        }
    }

    private func readAsBytes(_ endpoint: inout PlannedEndpoint, _ reason: String) {
        guard let place = endpoint.xmlResponse else { return }
        findings.add(
            .openAPIMediaLost, "the XML is read as bytes, which the app has to parse, because \(reason)", at: place)
        endpoint.response = .bytes
        endpoint.xmlResponse = nil
        // Bytes have no elements.
        endpoint.pages = nil
        endpoint.notes.removeAll { $0.hasPrefix("errand:review pages:") }
    }

    private func problem(ofElement name: String?) -> String? {
        guard let name else { return nil }
        if case .element? = XMLPlace(name) { return nil }
        return "`\(name)` is no name in XML"
    }

    /// The wire names of fields in XML.
    private enum Names {
        /// Those of the places that the document gives them, for types that JSON has not with other names.
        case placed(beside: Set<Int>)
        /// Those that the fields have by now.
        case asTheyAre
    }

    private func problem(of content: PlannedEndpoint.Content, _ names: Names) -> String? {
        switch content {
        case .fields(let fields): if let problem = problem(of: fields, names) { return problem }
        case .type(let type): if hasInnerList(type) { return Self.innerList }
        }
        for number in types.reached(from: content.numbers).sorted() {
            switch types.entries[number].form {
            case .structure(let fields):
                if case .placed(let json) = names, json.contains(number),
                    fields.contains(where: { placed($0).xmlWire != $0.wire && $0.schema != nil })
                {
                    return "JSON has the same types with other names"
                }
                if let problem = problem(of: fields, names) { return problem }
            case .union(.kind, _): return "a union tells its cases by the kind of the JSON value"
            case .union(.value(let key, _), let cases):
                guard case .placed = names else { continue }
                if cases.contains(where: { moves(key, in: $0.type) }) { return Self.movedKey }
            case .union(.key, let cases):
                guard case .placed = names else { continue }
                if cases.contains(where: { moves($0.value, in: $0.type) }) { return Self.movedKey }
            case .alias(let target, _): if hasInnerList(target) { return Self.innerList }
            case .enumeration: break
            }
        }
        return nil
    }

    private static let innerList = "it has a list inside a list"
    private static let movedKey = "the key of a union has another name in XML"

    private func problem(of fields: [PlannedField], _ names: Names) -> String? {
        if case .placed = names, fields.count(where: { isText($0) && $0.isRequired }) > 1 {
            return "an element has one text in a contract, and two here"
        }
        for field in fields {
            if case .placed = names, xml(of: field)?.text("nodeType") == "none", !isList(field.type) {
                return "`\(field.wire)` has no node of its own (`nodeType: none`)"
            }
            if field.holdsOtherMembers { return "a type keeps members that it does not declare" }
            let wire: String
            switch names {
            case .placed: wire = placed(field).xmlWire ?? field.wire
            case .asTheyAre: wire = field.xmlWire ?? field.wire
            }
            guard let place = XMLPlace(wire) else { return "`\(wire)` is no name in XML" }
            if hasInnerList(field.type) { return Self.innerList }
            let losesNull: Bool
            switch place {
            case .text, .attribute:
                guard case .scalar = types.shape(of: field.type) else {
                    return "the \(place == .text ? "text" : "attribute") `\(wire)` is not one value"
                }
                losesNull = true
            case .wrapped:
                guard isList(field.type) else { return "`\(wire)` is not a list" }
                losesNull = false
            case .element: losesNull = isList(field.type)
            }
            if losesNull, field.nullable == .distinct { return "`\(wire)` cannot be null in XML" }
        }
        return nil
    }

    /// Whether the elements of a list are lists. The types that it names are examined on their own.
    private func hasInnerList(_ type: PlannedType) -> Bool {
        switch type {
        case .list(let element): isList(element) || hasInnerList(element)
        case .map(let inner), .optional(let inner): hasInnerList(inner)
        case .word, .named: false
        }
    }

    private func isList(_ type: PlannedType) -> Bool {
        switch types.expanded(type) {
        case .list: true
        case .optional(let inner): isList(inner)
        case .map, .word, .named: false
        }
    }

    /// Whether the key of a union has another wire name in XML.
    private func moves(_ key: String, in type: PlannedType) -> Bool {
        guard let number = types.target(of: type) else { return false }
        return (types.structures(ofUnion: number) ?? [number]).contains { number in
            guard case .structure(let fields) = types.entries[number].form else { return false }
            return fields.contains { $0.wire == key && (placed($0).xmlWire ?? key) != key }
        }
    }

    // MARK: Names

    /// The name of the element that a schema describes; nil if the document gives it none.
    static func element(of schema: Element, _ documents: DocumentSet) -> String? {
        let target = documents.followed(schema) ?? schema
        if let name = name(in: target["xml"]) { return name }
        // A schema with a name of its own is an element of that name.
        return target.isNamedSchema ? target.tokens.last.map { qualified($0, target["xml"]) } : nil
    }

    private static func name(in xml: Element?) -> String? { xml?.text("name").map { qualified($0, xml) } }

    private static func qualified(_ name: String, _ xml: Element?) -> String {
        xml?.text("namespace").map { "{\($0)}\(name)" } ?? name
    }

    private func xml(of field: PlannedField) -> Element? {
        guard let schema = field.schema else { return nil }
        return schema["xml"] ?? types.documents.followed(schema)?["xml"]
    }

    private func isText(_ field: PlannedField) -> Bool {
        ["text", "cdata"].contains(xml(of: field)?.text("nodeType"))
    }

    /// The fields with the wire names of their places. A contract has all text of an element in one field.
    private func placed(_ fields: [PlannedField]) -> [PlannedField] {
        let texts = fields.filter(isText)
        let plain = texts.first { xml(of: $0)?.text("nodeType") == "text" }
        let text = texts.first(where: \.isRequired) ?? plain ?? texts.first
        for field in texts where field.wire != text?.wire {
            guard let place = field.schema else { continue }
            findings.add(
                .openAPISchemaLost,
                "`\(field.wire)` is left out, because the text of the element is already `\(text?.wire ?? "")`",
                at: place)
        }
        let placed = fields.filter { !isText($0) || $0.wire == text?.wire }.map(placed)
        if let text, let place = text.schema, placed.contains(where: { isElement($0.xmlWire) }) {
            findings.add(
                .openAPIConstraintLost, "`\(text.wire)` also has the text of the elements inside of its element",
                at: place)
        }
        return placed
    }

    private func isElement(_ wire: String?) -> Bool {
        switch wire.flatMap({ XMLPlace($0) }) {
        case .element, .wrapped: true
        case .text, .attribute, nil: false
        }
    }

    /// The field with the wire name of its place. `nodeType` of OpenAPI 3.2 says what `attribute` and `wrapped` said before.
    private func placed(_ field: PlannedField) -> PlannedField {
        guard let schema = field.schema else { return field }
        let target = types.documents.followed(schema) ?? schema
        let xml = xml(of: field)
        let node = xml?.text("nodeType")
        var name = Self.qualified(xml?.text("name") ?? field.wire, xml)
        if case .list = field.type.required {
            let items = target["items"].map { types.documents.followed($0) ?? $0 }
            let inner = Self.name(in: items?["xml"])
            if node == "element" {
                name += "/" + (inner ?? field.wire)
            } else if xml?.flag("wrapped") == true {
                name += "/" + (inner ?? name)
            } else {
                name = inner ?? field.wire
            }
        } else if node == "text" || node == "cdata" {
            name = "."
        } else if node == "attribute" || xml?.flag("attribute") == true {
            name = "@" + name
        }
        var field = field
        field.xmlWire = name
        return field
    }
}

extension PlannedType {
    /// Without an outer optional.
    fileprivate var required: PlannedType {
        if case .optional(let inner) = self { return inner.required }
        return self
    }
}

extension PlannedEndpoint {
    /// Whether it receives or sends XML.
    var usesXML: Bool { xmlResponse != nil || body?.encoding == .xml }
}
