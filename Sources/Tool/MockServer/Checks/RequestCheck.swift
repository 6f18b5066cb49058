import ContractModel
import Diagnostics
import JSONTree

/// Checks a request against everything that the contract says of its endpoint's input.
package struct RequestCheck {
    private let contract: ResolvedContract
    private let endpoint: ResolvedEndpoint
    private let request: MockRequest
    private let content: RequestContent
    private var check: ValueCheck

    /// Checks a request that was recorded. The result has no value of it.
    package static func run(
        recorded request: MockRequest, _ content: RequestContent, _ route: RouteTable.Match,
        of endpoint: ResolvedEndpoint, in contract: ResolvedContract
    ) -> ValueCheck {
        check(request, content, parameters: route.parameters, of: endpoint, ValueCheck(contract, .recordedRequest))
    }

    /// The problems and the oddities of a request.
    static func run(
        _ request: MockRequest, _ content: RequestContent, parameters: [(field: FieldDefinition, value: String)],
        of endpoint: ResolvedEndpoint, in contract: ResolvedContract
    ) -> (problems: [String], oddities: [String]) {
        let check = check(request, content, parameters: parameters, of: endpoint, ValueCheck(contract))
        return (check.problems, check.oddities)
    }

    private static func check(
        _ request: MockRequest, _ content: RequestContent, parameters: [(field: FieldDefinition, value: String)],
        of endpoint: ResolvedEndpoint, _ check: ValueCheck
    ) -> ValueCheck {
        var run = RequestCheck(
            contract: check.contract, endpoint: endpoint, request: request, content: content, check: check)
        run.checkPath(parameters)
        run.checkQuery()
        run.checkHeaders()
        run.checkCommon()
        run.checkKey()
        run.checkBody()
        return run.check
    }

    /// A list in a path is one segment with commas.
    private mutating func checkPath(_ parameters: [(field: FieldDefinition, value: String)]) {
        for (field, value) in parameters {
            let place = "path.\(field.name.value)"
            if case .list(let inner) = contract.expanded(field.type.unwrapped).type.unwrapped {
                checkList(
                    value.split(separator: ",", omittingEmptySubsequences: false).map(String.init), inner, field, place)
                continue
            }
            check.check(field, at: place) { $0.check(text: value, type: field.type, [field.constraints], at: place) }
        }
    }

    private mutating func checkList(
        _ values: [String], _ inner: TypeReference, _ field: FieldDefinition, _ place: String
    ) {
        check.check(field, at: place) {
            $0.check(count: values.count, [field.constraints], at: place)
            for value in values.prefix(1000) { $0.check(text: value, type: inner, [], at: place) }
        }
    }

    // MARK: Query, headers, cookies

    private mutating func checkQuery() {
        let pairs = request.queryPairs
        for field in endpoint.query {
            checkTexts(pairs.filter { $0.name == field.wireName }.map(\.value), field, "query")
        }
        var known = Set(endpoint.query.map(\.wireName) + contract.common.all.map(\.field.wireName))
        if case .parameter(let name)? = contract.session?.placement { known.insert(name) }
        if case .query(let name)? = contract.signing?.placement.value { known.insert(name) }
        if case .body(let name)? = contract.signing?.placement.value { known.insert(name) }
        for credential in contract.credentials {
            if case .query(let name) = credential.placement { known.insert(name) }
        }
        let maps = endpoint.query.filter { if case .map = $0.type.unwrapped { true } else { false } }.map(\.wireName)
        for pair in pairs.prefix(1000) where !known.contains(pair.name) {
            let isInMap = maps.contains { pair.name.hasPrefix($0 + "[") || pair.name.hasPrefix($0 + ".") }
            if !isInMap { check.note(undeclared: [pair.name], in: "query") }
        }
    }

    private mutating func checkHeaders() {
        for field in endpoint.headers {
            checkTexts(request.header(field.wireName).map { [$0] } ?? [], field, "headers")
        }
        let cookies = request.cookies
        for field in endpoint.cookies {
            checkTexts(cookies.filter { $0.name == field.wireName }.map(\.value), field, "cookies")
        }
    }

    /// Checks the texts of a parameter: one, or several of a list.
    private mutating func checkTexts(_ texts: [String], _ field: FieldDefinition, _ where: String) {
        let place = "\(`where`).\(field.wireName)"
        let type = contract.expanded(field.type.unwrapped).type.unwrapped
        if case .map = type { return }
        guard !texts.isEmpty else {
            // An empty list is sent as no parameter at all.
            if field.isRequired, !field.type.isList, !isWithheld(field, `where`) {
                check.report("`\(place)` is missing")
            }
            return
        }
        guard case .list(let inner) = type else {
            if texts.count > 1 {
                let times = check.subject.isRecorded ? "several" : "\(texts.count)"
                check.report("`\(place)` is there \(times) times")
            }
            check.check(field, at: place) {
                for text in texts.prefix(1) {
                    $0.check(text: text, type: field.type, [field.constraints], at: place)
                }
            }
            return
        }
        var values = texts
        if let joining = field.joining?.value {
            values = texts.flatMap { $0.split(separator: joining.separator).map(String.init) }
        }
        checkList(values, inner, field, place)
    }

    /// Browsers leave secrets out of a recording.
    private func isWithheld(_ field: FieldDefinition, _ where: String) -> Bool {
        guard check.subject.isRecorded else { return false }
        if `where` == "cookies" { return request.cookies.isEmpty }
        return `where` == "headers" && Self.withheld.contains(field.wireName.lowercased())
    }

    private static let withheld: Set<String> = ["authorization", "cookie", "proxy-authorization"]

    // MARK: What all requests have

    private mutating func checkCommon() {
        // The parameters of all requests are those of HTTP.
        if endpoint.frame != nil { return }
        // Another origin gets these parameters only if its role says so.
        if let role = endpoint.definition.server?.value, contract.role(named: role)?.sends(.common) != true { return }
        for common in contract.common.query {
            checkCommon(common, request.queryValues(common.field.wireName).first, "query")
        }
        for common in contract.common.headers { checkCommon(common, request.header(common.field.wireName), "headers") }
        let isInQuery = endpoint.method?.sendsParametersInQuery ?? true
        for common in contract.common.parameters {
            let name = common.field.wireName
            let inQuery = request.queryValues(name).first
            if case .bytes = content.body { continue }
            checkCommon(common, isInQuery ? inQuery : content.text(name) ?? inQuery, isInQuery ? "query" : "body")
        }
    }

    /// The problems and the oddities of a handshake, which has the common headers, the common parameters in its query, and the token
    /// of a session if it is a parameter.
    static func handshake(
        _ request: MockRequest, in contract: ResolvedContract
    ) -> (problems: [String], oddities: [String]) {
        var check = ValueCheck(contract)
        for common in contract.common.query + contract.common.parameters {
            checkCommon(common, request.queryValues(common.field.wireName).first, "query", &check)
        }
        for common in contract.common.headers {
            checkCommon(common, request.header(common.field.wireName), "headers", &check)
        }
        var known = Set((contract.common.query + contract.common.parameters).map(\.field.wireName))
        if case .parameter(let name)? = contract.session?.placement { known.insert(name) }
        for pair in request.queryPairs.prefix(1000) where !known.contains(pair.name) {
            check.remark("`query.\(ClientText.shown(pair.name))` is not in the contract")
        }
        return (check.problems, check.oddities)
    }

    private mutating func checkCommon(_ common: CommonParameter, _ text: String?, _ where: String) {
        Self.checkCommon(common, text, `where`, &check)
    }

    private static func checkCommon(
        _ common: CommonParameter, _ text: String?, _ where: String, _ check: inout ValueCheck
    ) {
        let place = "\(`where`).\(common.field.wireName)"
        guard let text else {
            let isWithheld =
                check.subject.isRecorded && `where` == "headers"
                && withheld.contains(common.field.wireName.lowercased())
            if common.field.isRequired, !isWithheld { check.report("`\(place)` is missing") }
            return
        }
        if case .constant(let constant) = common.source {
            if text != constant {
                let found = check.subject.isRecorded ? "another text" : "`\(ClientText.shown(text, longest: 60))`"
                check.report("`\(place)` must be `\(constant)`, and is \(found)")
            }
            return
        }
        check.check(common.field, at: place) {
            $0.check(text: text, type: common.field.type, [common.field.constraints], at: place)
        }
    }

    private mutating func checkKey() {
        guard endpoint.effect == .keyed else { return }
        switch endpoint.keyPlace {
        case .field(let name):
            // Over HTTP, the body declares the field, and it is checked with the body.
            guard endpoint.frame != nil, endpoint.body != nil, content.text(name.value)?.isEmpty ?? true else { return }
            check.report("`body.\(name.value)` is missing: the contract says `effect: keyed`")
        case .header(let name): checkKey(name.value)
        case nil: checkKey(IdempotencyKeyDefinition.standardHeader)
        }
    }

    private mutating func checkKey(_ header: String) {
        if request.header(header).map(\.isEmpty) ?? true {
            check.report("`headers.\(header)` is missing: the contract says `effect: keyed`")
        }
    }

    // MARK: Body

    private mutating func checkBody() {
        if content.isUnrecorded { return }
        if let problem = content.problem { return check.report(problem) }
        guard let body = endpoint.body else { return }
        checkContentType(body)
        switch (content.body, body.content) {
        case (.bytes, _):
            // A file may be empty. What has no type either is no body.
            if request.body.isEmpty, request.header("Content-Type") == nil { check.report("the body is missing") }
        case (.json(let value), .type(let type, _)):
            check.check(value, type: type, [], coerces: false, at: "body")
        case (.json(let value), .fields(let fields)): check.check(value, fields: known(fields, in: value), at: "body")
        case (.pairs(let pairs), .fields(let fields)): checkPairs(pairs, fields)
        case (.none, .fields(let fields)):
            for field in fields where field.isRequired { check.report("`body.\(field.wireName)` is missing") }
        case (.none, .type(let type, _)):
            // No body is as good as one without members.
            if !type.isOptional, contract.structure(type)?.fields.contains(where: \.isRequired) != false {
                check.report("the body is missing")
            }
        default: break
        }
    }

    /// The body is read as the contract says, whatever the header says.
    private mutating func checkContentType(_ body: BodyDefinition) {
        guard !request.body.isEmpty, let header = request.header("Content-Type") else { return }
        let type = header.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        let usual: String
        switch body.encoding {
        case .json where !BodyDefinition.isJSON(mediaType: type): usual = "application/json"
        case .form where type != "application/x-www-form-urlencoded": usual = "application/x-www-form-urlencoded"
        default: return
        }
        let wanted = body.contentType ?? usual
        guard type != wanted.lowercased() else { return }
        let found = check.subject.isRecorded ? "another one" : "`\(ClientText.shown(header))`"
        check.remark("the header `Content-Type` is \(found), and the contract says `\(wanted)`")
    }

    /// The fields, and the parameters of all requests that travel in the body.
    private func known(_ fields: [FieldDefinition], in value: JSONNode) -> [FieldDefinition] {
        let names = Set(fields.map(\.wireName))
        var others = contract.common.parameters.map(\.field).filter {
            !names.contains($0.wireName) && value[$0.wireName] != nil
        }
        others = others.filter { _ in endpoint.method?.sendsParametersInQuery == false }
        return fields + others + extra.filter { !names.contains($0) && value[$0] != nil }.map(Self.anyField)
    }

    /// The names of further members that a body may have.
    private var extra: [String] {
        var names: [String] = []
        if case .parameter(let name)? = contract.session?.placement { names.append(name) }
        if case .body(let name)? = contract.signing?.placement.value { names.append(name) }
        if endpoint.effect == .keyed, case .field(let name)? = endpoint.keyPlace { names.append(name.value) }
        return names
    }

    private static func anyField(_ name: String) -> FieldDefinition {
        let range = SourceRange.nowhere
        return FieldDefinition(
            name: Located(name, at: range), type: .optional(.primitive(.json)), typeRange: range)
    }

    private mutating func checkPairs(_ pairs: [(name: String, value: String)], _ fields: [FieldDefinition]) {
        // In a multipart body without brackets, an empty map is a part with JSON.
        let isOfPairs = endpoint.body?.encoding == .form || endpoint.body?.nesting == .brackets
        for field in fields {
            let type = contract.expanded(field.type.unwrapped).type.unwrapped
            let value = FormValue(pairs, of: field.wireName)
            let place = "body.\(field.wireName)"
            let isOfParts = field.isJSONPart || hasParts(type)
            if isOfParts || type.isContent {
                if value.isEmpty {
                    // An empty list is sent as no pair at all.
                    let canBeAbsent = type.isList || isOfPairs && check.canBeEmpty(type)
                    if field.isRequired, !canBeAbsent { check.report("`\(place)` is missing") }
                } else if isOfParts, isOfPairs, !field.isJSONPart {
                    check.check(field, at: place) {
                        $0.check(form: value, type: field.type, [field.constraints], at: place)
                    }
                } else if isOfParts {
                    checkJSON(value.texts, field, place)
                }
                continue
            }
            checkTexts(value.elements.flatMap(\.texts), field, "body")
        }
        let known = Set(
            fields.map(\.wireName) + contract.common.parameters.map(\.field.wireName)
                + extra)
        // JSON in place of a form would be one long name, with the values that must not be printed.
        if let first = pairs.first?.name.first(where: { !$0.isWhitespace }), first == "{" || first == "[" {
            return check.remark("the body is not a form, and looks like JSON")
        }
        for pair in pairs.prefix(1000) {
            let name = String(pair.name.prefix { $0 != "[" })
            if !known.contains(pair.name), !known.contains(name) { check.note(undeclared: [name], in: "body") }
        }
    }

    /// Whether a value has parts with names, of which each is a pair of a form.
    private func hasParts(_ type: TypeReference) -> Bool {
        switch contract.expanded(type.unwrapped).type.unwrapped {
        case .map: return true
        case .list(let inner): return hasParts(inner)
        case .named(let name):
            if case .enumeration? = contract.type(named: name.value)?.form { return false }
            return true
        case .primitive, .optional: return false
        }
    }

    /// Checks a part of a multipart body that is JSON. A recorder may leave its text out.
    private mutating func checkJSON(_ texts: [String], _ field: FieldDefinition, _ place: String) {
        guard let text = texts.first, !text.isEmpty else { return }
        guard let value = try? JSONParser.parse(Array(text.utf8)) else {
            return check.report("`\(place)` is not JSON")
        }
        check.check(value, field: field, at: place)
    }
}

extension Joining {
    /// The character between two values of a list that is one text.
    var separator: Character {
        switch self {
        case .commas: ","
        case .spaces: " "
        case .pipes: "|"
        }
    }
}

extension TypeReference {
    /// Whether a value is the content of a part, and not a text.
    fileprivate var isContent: Bool {
        switch unwrapped {
        case .primitive(.file), .primitive(.json), .primitive(.bytes): true
        default: false
        }
    }
}

extension SourceRange {
    /// A place for what no file has.
    fileprivate static let nowhere = SourceRange(
        file: "", start: SourcePosition(line: 1, column: 1, offset: 0),
        end: SourcePosition(line: 1, column: 1, offset: 0)
    )
}
