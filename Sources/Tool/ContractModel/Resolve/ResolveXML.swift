import Diagnostics

/// Checks that documents in XML can express what the contract says is in them.
extension Resolution {
    mutating func checkDocuments(_ resolved: ResolvedContract) {
        var check = XMLCheck()
        for endpoint in resolved.endpoints {
            if let range = endpoint.definition.xmlResponse { checkResponse(of: endpoint, range, resolved, &check) }
            guard let body = endpoint.body, body.encoding == .xml else { continue }
            if let element = body.element, XMLName(element.value) == nil {
                report(
                    .noXMLForm, "an element cannot have the name `\(element.value)`", at: element.range,
                    help: "write a name of letters and digits, such as `order` or `\"{namespace}order\"`")
            }
            switch body.content {
            case .fields(let fields): checkFields(fields, &check)
            case .type(let type, let range): checkType(type, at: range, &check)
            case .bytes: break
            }
            checkAdditions(to: endpoint, body, resolved, &check)
        }
    }

    /// Checks what the runtime adds to a document: the common parameters, the session's token, the signature and the idempotency key.
    private mutating func checkAdditions(
        to endpoint: ResolvedEndpoint, _ body: BodyDefinition, _ resolved: ResolvedContract, _ check: inout XMLCheck
    ) {
        if body.takesParameters, endpoint.method?.sendsParametersInQuery == false {
            if sends(.common, in: endpoint.definition) {
                checkFields(resolved.common.parameters.map(\.field), &check)
            }
            if sends(.session, in: endpoint.definition), let session = sessionPlacement(of: endpoint.definition),
                case .parameter(let name) = session.value
            {
                checkAddition(Located(name, at: session.range), "the session's token", &check)
            }
            if sends(.signature, in: endpoint.definition), let into = resolved.signing?.placement,
                case .body(let name) = into.value
            {
                checkAddition(Located(name, at: into.range), "the signature", &check)
            }
        }
        if case .field(let key)? = endpoint.keyPlace { checkAddition(key, "the idempotency key", &check) }
    }

    private mutating func checkAddition(_ name: Located<String>, _ what: String, _ check: inout XMLCheck) {
        guard check.places.insert(name.range).inserted else { return }
        switch XMLPlace(name.value) {
        case .text?, .attribute?, .element?: break
        case .wrapped?, nil:
            report(
                .noXMLForm, "XML has no place called `\(name.value)` for \(what)", at: name.range,
                help: "name an element `key` or an attribute `\"@key\"`")
        }
    }

    private mutating func checkResponse(
        of endpoint: ResolvedEndpoint, _ range: SourceRange, _ resolved: ResolvedContract, _ check: inout XMLCheck
    ) {
        if endpoint.frame != nil {
            report(.httpKeyAtFrame, "the payload of a frame is JSON", at: range, help: "remove `encoding`")
        }
        if endpoint.delivery == .stream {
            report(
                .conflictingKeys, "a stream has many elements, and a document in XML is one", at: range,
                help: "remove `encoding`, or `delivery: stream`")
        }
        switch endpoint.response.value {
        case .fields(let fields): checkFields(fields, &check)
        case .type(let type, _, _): checkType(type, at: endpoint.response.range, &check)
        case .none, .bytes: break
        }
        for data in endpoint.outcomes.map(\.data) + endpoint.errors.map({ resolved.error(named: $0)?.data }) {
            switch data {
            case .fields(let fields)?: checkFields(fields, &check)
            case .type(let type, let range)?: checkType(type, at: range, &check)
            case nil: break
            }
        }
    }

    private mutating func checkFields(_ fields: [FieldDefinition], _ check: inout XMLCheck) {
        for field in fields where check.places.insert(field.name.range).inserted { checkField(field, &check) }
    }

    private mutating func checkField(_ field: FieldDefinition, _ check: inout XMLCheck) {
        if field.holdsOtherMembers {
            report(
                .noXMLForm,
                "`additionalProperties` keeps the members of JSON that the type does not declare, and XML has none",
                at: field.typeRange, help: "declare the elements as fields, or use another type for XML")
            return
        }
        let nameRange = field.declaredWireName?.range ?? field.name.range
        guard let place = XMLPlace(field.wireName) else {
            let local = field.wireName.split(separator: ":").last.map(String.init) ?? ""
            let help =
                field.wireName.contains(":") && XMLName(local) != nil
                ? "write `\(local)`, which matches in any namespace, or `\"{namespace}\(local)\"`"
                : "name an element `title`, an attribute `\"@id\"`, the text `\".\"`, or a list in an element `\"books/book\"`"
            report(.noXMLForm, "XML has no place called `\(field.wireName)`", at: nameRange, help: help)
            return
        }
        guard let type = expanded(field.type.unwrapped)?.unwrapped else { return }  // reported elsewhere
        if field.distinguishesNull, Self.losesNull(place, type) {
            report(
                .noXMLForm,
                "`\(field.name.value)` has `nullable: distinct`, and in XML its null is the same as its absence",
                at: nameRange, help: "remove `nullable`, or name an element that is one value or has the list inside")
        }
        switch place {
        case .text, .attribute:
            if type != .primitive(.json), isScalar(field.type.unwrapped) { return }
            let what = place == .text ? "the text of an element" : "an attribute"
            report(
                .noXMLForm, "\(what) is one value, and `\(field.name.value)` is a `\(field.type.spelling)`",
                at: field.typeRange, help: "name an element instead")
        case .wrapped:
            guard type.isList else {
                report(
                    .noXMLForm, "`\(field.wireName)` names the elements of a list, and `\(field.name.value)` is none",
                    at: nameRange, help: "name an element, such as `title`")
                return
            }
            checkType(type, at: field.typeRange, &check)
        case .element: checkType(type, at: field.typeRange, &check)
        }
    }

    private static func losesNull(_ place: XMLPlace, _ type: TypeReference) -> Bool {
        switch place {
        case .text, .attribute: true
        case .element: type.isList
        case .wrapped: false
        }
    }

    private mutating func checkType(_ type: TypeReference, at range: SourceRange, _ check: inout XMLCheck) {
        guard let type = expanded(type.unwrapped)?.unwrapped else { return }
        switch type {
        case .list(let element):
            if expanded(element.unwrapped)?.isList == true {
                report(
                    .noXMLForm, "an element of a list has no name of its own in XML, so it cannot be a list", at: range,
                    help: "make a type of the inner list, whose field names its elements")
            } else {
                checkType(element, at: range, &check)
            }
        case .map(let value): checkType(value, at: range, &check)
        case .named(let name): checkDefinition(of: name.value, at: range, &check)
        case .primitive, .optional: break
        }
    }

    private mutating func checkDefinition(of name: String, at range: SourceRange, _ check: inout XMLCheck) {
        guard let definition = type(name), check.types.insert(name).inserted else { return }
        switch definition.form {
        case .structure(let fields): checkFields(fields, &check)
        case .union(let union):
            if union.isByKind {
                report(
                    .noXMLForm, "`\(name)` tells its cases by the kinds of JSON values, and XML has only text",
                    at: range,
                    help: "use a union with `by`")
            }
            let keys = union.cases.compactMap { union.discriminator == nil && !union.isByKind ? $0.name : nil }
            for key in [union.discriminator].compactMap({ $0 }) + keys where XMLPlace(key.value) == nil {
                report(
                    .noXMLForm, "XML has no place called `\(key.value)`", at: key.range,
                    help: "name an element `kind` or an attribute `\"@kind\"`")
            }
            for entry in union.cases { checkType(entry.type, at: entry.name.range, &check) }
        case .enumeration, .alias: break
        }
    }
}

/// What was checked, since endpoints share types and errors.
struct XMLCheck {
    var types: Set<String> = []
    var places: Set<SourceRange> = []
}
