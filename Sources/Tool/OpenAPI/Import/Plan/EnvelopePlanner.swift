import ContractModel
import Diagnostics
import YAMLTree

/// Recognizes envelopes, and failures inside of responses with a successful status, if the document leaves no doubt:
/// otherwise the schema stays unchanged.
///
/// - a wrapper of `data` beside `code`, `message` or `error`, which at least three responses and half of all have,
/// - a property `error` or `errors` that a success can be without, and whose codes are an enum, beside a flag `ok` or `success` or
///   the data of the response,
/// - a constant `ok: true` in the success that is `ok: false` in `default`, which has the codes,
/// - alternatives of which one is an error by its name or its only property, and is told by a constant or an enum.
///
/// A resource that has an error is no envelope: `{id, status, error: {code}, output}` says how a job ended, and the request that
/// started or read the job has succeeded. Such a resource has an identity, or a part that is present beside an error.
struct EnvelopePlanner {
    let types: TypePlanner
    private var reader: SchemaReader { types.reader }
    private var findings: ImportFindings { types.findings }
    /// The wrappers that enough responses have.
    private var common = Set<Wrapper>()
    /// The wrappers that most operations have for their failures, too, with statuses that are no success.
    private var ofFailures = Set<Wrapper>()

    /// The keys of a wrapper by what they mean.
    private struct Wrapper: Hashable {
        var data: String
        var code: String?
        var message: String?
        var error: String?
        var others: [String] = []
    }

    private static let dataKeys: Set<String> = ["data", "result", "payload"]
    private static let codeKeys: Set<String> = ["code", "errorcode", "errcode", "retcode", "errno", "resultcode"]
    private static let messageKeys: Set<String> = ["message", "msg", "errmsg", "errormessage", "errormsg"]
    private static let errorKeys: Set<String> = ["error", "errors"]
    /// Names of members that do not belong to the payload.
    private static let otherKeys: Set<String> = [
        "success", "ok", "timestamp", "ts", "requestid", "traceid", "path", "apiversion",
    ]
    /// Names of flags that tell a success from a failure.
    private static let flagKeys: Set<String> = ["success", "ok"]
    /// Names by which a resource is found again.
    private static let identityKeys: Set<String> = ["id", "uuid", "guid"]
    private static let mostCodes = 60

    /// - Parameter others: the operations that are not imported, which show what responses have in common, too.
    init(types: TypePlanner, operations: [Operation], beside others: [Operation]) {
        self.types = types
        var counts: [Wrapper: Int] = [:]
        var failing: [Wrapper: Int] = [:]
        var all = 0
        func look(at operation: Operation) {
            guard let schema = Self.success(operation) else { return }
            all += 1
            guard let wrapper = wrapper(types.reader.view(of: [schema])), keepsFailures(operation, wrapper) else {
                return
            }
            counts[wrapper, default: 0] += 1
            if operation.responses.contains(where: { !$0.isSuccess && $0.media.contains(where: \.isJSON) }) {
                failing[wrapper, default: 0] += 1
            }
        }
        operations.forEach(look)
        types.findings.silently { others.forEach(look) }
        let total = counts.values.reduce(0, +)
        guard total >= 3, total * 2 >= all else { return }
        common = Set(counts.filter { $0.value >= 3 }.keys)
        ofFailures = common.filter { 2 * (failing[$0] ?? 0) > (counts[$0] ?? 0) }
    }

    private static func success(_ operation: Operation) -> Element? {
        let successes = operation.responses.filter { $0.isSuccess && $0.media.contains(where: \.isJSON) }
        let response = successes.first { $0.status == "200" } ?? successes.min { $0.status < $1.status }
        return response?.media.first(where: \.isJSON)?.schema
    }

    // MARK: Wrappers

    private func wrapper(_ view: SchemaView) -> Wrapper? {
        guard view.alternatives.isEmpty, (2...8).contains(view.properties.count), view.additional.isEmpty else {
            return nil
        }
        var wrapper = Wrapper(data: "")
        for (name, schemas) in view.properties {
            guard !name.contains(".") else { return nil }
            let folded = NameText.folded(name)
            let property = reader.view(of: schemas)
            let isScalar =
                ["string", "integer", "number"].contains(property.types.first ?? "")
                || property.types.isEmpty && (property.constant ?? property.values?.first)?.text != nil
            if Self.dataKeys.contains(folded), wrapper.data.isEmpty {
                wrapper.data = name
            } else if Self.codeKeys.contains(folded), isScalar, wrapper.code == nil {
                wrapper.code = name
            } else if Self.messageKeys.contains(folded), property.types == ["string"], wrapper.message == nil {
                wrapper.message = name
            } else if Self.errorKeys.contains(folded), wrapper.error == nil {
                wrapper.error = name
            } else if Self.otherKeys.contains(folded) {
                wrapper.others.append(name)
            } else {
                return nil
            }
        }
        wrapper.others.sort()
        guard !wrapper.data.isEmpty, wrapper.code != nil || wrapper.error != nil else { return nil }
        if let error = wrapper.error, wrapper.code != nil || !canBeAbsent(error, view) { return nil }
        return wrapper
    }

    private func canBeAbsent(_ name: String, _ view: SchemaView) -> Bool {
        let schemas = view.property(name) ?? []
        return !view.required.contains(name) || schemas.contains { reader.isNullable($0) }
            || schemas.contains { reader.view(of: [$0]).types == ["array"] }
    }

    /// Whether the data of an operation's failures is at the wrapper's path for it.
    private func keepsFailures(_ operation: Operation, _ wrapper: Wrapper) -> Bool {
        operation.responses.filter { !$0.isSuccess }.allSatisfy { failure in
            guard let schema = failure.media.first(where: \.isJSON)?.schema else { return true }
            let names = reader.view(of: [schema]).properties.map(\.name)
            let known = [wrapper.data, wrapper.code, wrapper.message, wrapper.error].compactMap { $0 } + wrapper.others
            return !names.isEmpty && names.allSatisfy(known.contains)
        }
    }

    // MARK: Responses

    /// The content of a successful response; `nil` if the schema describes it directly.
    func unwrapped(_ schema: Element, of operation: Operation) -> Unwrapped? {
        let view = reader.view(of: [schema])
        if view.alternatives.count == 1, view.properties.isEmpty, view.discriminator == nil {
            return alternatives(view.alternatives[0].members)
        }
        if let wrapper = wrapper(view), common.contains(wrapper), keepsFailures(operation, wrapper) {
            return lifted(wrapper, view, schema)
        }
        return flagged(view, schema, operation) ?? withErrors(view, schema)
    }

    /// The data of a failure of an operation whose responses are wrapped.
    func payload(ofFailure schema: Element, in envelope: PlannedEnvelope) -> [Element]? {
        guard let data = envelope.data else { return [schema] }
        return reader.view(of: [schema]).property(data)
    }

    private func lifted(_ wrapper: Wrapper, _ view: SchemaView, _ schema: Element) -> Unwrapped? {
        guard let payload = view.property(wrapper.data) else { return nil }
        var result = Unwrapped(payload: payload)
        var envelope = PlannedEnvelope(
            data: wrapper.data, code: wrapper.code, message: wrapper.message, error: wrapper.error)
        result.isOptional = !view.required.contains(wrapper.data) || payload.contains { reader.isNullable($0) }
        if let code = wrapper.code.flatMap({ view.property($0) }).map({ reader.view(of: $0) }) {
            let codes = code.constant.map { [$0] } ?? code.values ?? []
            if codes.count == 1, let text = codes[0].text { envelope.success = [text] }
        }
        envelope.isDecidedByStatus =
            envelope.code != nil && envelope.error == nil && envelope.success.isEmpty && ofFailures.contains(wrapper)
        if let key = wrapper.error, let coded = coded(key, view) {
            envelope.code = coded.code
            envelope.message = coded.message ?? wrapper.message
            result.failures = failures(coded.codes)
        }
        for name in wrapper.others {
            guard let place = view.property(name)?.first else { continue }
            findings.add(
                .openAPIEnvelopeLifted,
                "the client does not read `\(name)`, because the response is the value of `\(wrapper.data)`",
                at: place)
        }
        result.envelope = envelope
        return result
    }

    /// A payload that has its errors in it.
    private func withErrors(_ view: SchemaView, _ schema: Element) -> Unwrapped? {
        for (name, schemas) in view.properties where Self.errorKeys.contains(NameText.folded(name)) {
            let coded = coded(name, view)
            guard let coded, canBeAbsent(name, view), isWrapper(view, of: name) else {
                if coded != nil || reader.view(of: schemas).isObject || reader.view(of: schemas).types == ["array"] {
                    findings.add(
                        .openAPIErrorInSuccess,
                        "`\(name)` in a successful response may mean that the request failed, but the client treats it as a part of the response",
                        at: schemas[0])
                }
                continue
            }
            let envelope = PlannedEnvelope(code: coded.code, message: coded.message, error: name)
            let data = details(name, schemas, beside: coded)
            return Unwrapped(envelope: envelope, payload: [schema], failures: failures(coded.codes, data))
        }
        return nil
    }

    /// Whether a schema with an error wraps either a payload or that error. A schema that requires another part, or that has an
    /// identity, describes a resource: a body with an error has these, too.
    private func isWrapper(_ view: SchemaView, of error: String) -> Bool {
        var hasFlag = false
        var hasData = false
        var hasOthers = false
        for (name, schemas) in view.properties where name != error {
            let folded = NameText.folded(name)
            if Self.identityKeys.contains(folded) { return false }
            if Self.flagKeys.contains(folded), reader.view(of: schemas).types == ["boolean"] {
                hasFlag = true
            } else if !Self.otherKeys.union(Self.codeKeys).union(Self.messageKeys).contains(folded) {
                if !canBeAbsent(name, view) { return false }
                if Self.dataKeys.contains(folded) { hasData = true } else { hasOthers = true }
            }
        }
        return hasFlag || hasData && !hasOthers
    }

    private func hasIdentity(_ view: SchemaView) -> Bool {
        view.properties.contains { Self.identityKeys.contains(NameText.folded($0.name)) }
    }

    /// A success and a failure that differ by a flag, with any status: `{ok: true, …}` and `{ok: false, error: not_found}`. By
    /// the document's own definition, a body with the other flag isn't a success.
    private func flagged(_ view: SchemaView, _ schema: Element, _ operation: Operation) -> Unwrapped? {
        guard let failure = operation.responses.first(where: \.isDefault)?.media.first(where: \.isJSON)?.schema else {
            return nil
        }
        let failed = reader.view(of: [failure])
        let flag = view.properties.first { name, schemas in
            onlyFlag(schemas) == "true" && failed.property(name).flatMap(onlyFlag) == "false"
        }
        guard let flag,
            let error = failed.properties.first(where: { property in
                Self.errorKeys.union(Self.codeKeys).contains(NameText.folded(property.name))
                    && reader.view(of: property.schemas).types == ["string"]
            }), !error.name.contains("."), view.property(error.name) == nil
        else { return nil }
        let message = failed.properties.first { Self.messageKeys.contains(NameText.folded($0.name)) }?.name
        let kept = [flag.name, error.name, message]
        for (name, schemas) in failed.properties where !kept.contains(name) {
            guard let place = schemas.first else { continue }
            findings.count(.openAPIResponseLost, name, of: "member", at: place)
        }
        var result = Unwrapped(
            envelope: PlannedEnvelope(code: error.name, message: message, error: error.name), payload: [schema])
        let code = reader.view(of: error.schemas)
        result.failures = failures(code.values ?? code.constant.map { [$0] } ?? [])
        result.carriesDefault = true
        return result
    }

    /// The bool that a schema has as its only value.
    private func onlyFlag(_ schemas: [Element]) -> String? {
        let view = reader.view(of: schemas)
        guard let only = view.onlyValue, only.scalarKind == .bool else { return nil }
        return only.text
    }

    /// Where the codes of an error are, and what they can be.
    private func coded(_ key: String, _ view: SchemaView) -> (code: String, message: String?, codes: [Element])? {
        guard var schemas = view.property(key) else { return nil }
        var inner = present(schemas)
        if inner.types == ["array"], !inner.items.isEmpty {
            schemas = inner.items
            inner = present(schemas)
        }
        if inner.types == ["string"] || inner.types == ["integer"] {
            return inner.values.map { (key, nil, $0) }
        }
        let codes = inner.properties.first { property in
            Self.codeKeys.contains(NameText.folded(property.name))
                || ["type", "reason", "kind"].contains(property.name)
        }
        guard let codes, !codes.name.contains(".") else { return nil }
        let code = reader.view(of: codes.schemas)
        guard let values = code.values ?? code.constant.map({ [$0] }) else { return nil }
        let message = inner.properties.first { Self.messageKeys.contains(NameText.folded($0.name)) }
        return ("\(key).\(codes.name)", message.map { "\(key).\($0.name)" }, values)
    }

    /// The view of a value that isn't null.
    private func present(_ schemas: [Element]) -> SchemaView {
        let view = reader.view(of: schemas)
        guard view.properties.isEmpty, view.types.isEmpty, view.alternatives.count == 1 else { return view }
        let members = view.alternatives[0].members.filter { !reader.isNullOnly($0) }
        return members.count == 1 ? reader.view(of: members) : view
    }

    /// The data of a failure beside its code and message: the error object of the body. All endpoints share one type.
    private func details(
        _ key: String, _ schemas: [Element], beside coded: (code: String, message: String?, codes: [Element])
    ) -> PlannedType? {
        var inner = present(schemas)
        if inner.types == ["array"], !inner.items.isEmpty { inner = present(inner.items) }
        let known = [coded.code, coded.message].compactMap { $0?.split(separator: ".").last.map(String.init) }
        guard let first = inner.properties.first?.schemas.first,
            inner.properties.contains(where: { !known.contains($0.name) })
        else { return nil }
        let shared = SharedKey(name: key, text: "details of \(first.key)")
        if let type = types.sharedTypes[shared] { return type }
        let origin = PlannedTypeEntry.Origin.endpoint("Request" + NameText.typeName(key))
        let use = types.use(of: schemas, as: origin, .response)
        let entry = types.entry(.endpoint(NameText.typeName(key) + "Details"), at: schemas[0])
        entry.form = .structure([
            types.field(key, use, isRequired: false, as: origin, at: schemas[0], isJSON: true)
        ])
        types.sharedTypes[shared] = .named(entry.number)
        return .named(entry.number)
    }

    private func failures(_ codes: [Element], _ data: PlannedType? = nil) -> [CodedFailure] {
        let texts = codes.filter { !$0.isNull }.compactMap(\.text)
        guard texts.count <= Self.mostCodes else {
            if let first = codes.first {
                findings.add(
                    .openAPIErrorInSuccess,
                    "\(texts.count) error codes become `rejected`; declare those that an app handles",
                    at: first)
            }
            return []
        }
        return texts.map {
            CodedFailure(sign: .code($0), code: $0, data: data)
        }
    }

    // MARK: Alternatives

    /// A success or an error at one status.
    private func alternatives(_ all: [Element]) -> Unwrapped? {
        let members = all.filter { !reader.isNullOnly($0) }
        let errors = members.filter(isError)
        let successes = members.filter { member in !errors.contains { $0.key == member.key } }
        guard errors.count == 1, successes.count == 1 else { return nil }
        let (error, success) = (reader.view(of: errors), reader.view(of: successes))
        guard success.isObject, success.alternatives.isEmpty, !(hasIdentity(error) && hasIdentity(success)) else {
            return nil  // two states of one resource
        }
        // `{error: {code, message}}`
        if let key = onlyError(error), success.property(key) == nil {
            guard let coded = coded(key, error) else { return nil }
            let envelope = PlannedEnvelope(code: coded.code, message: coded.message, error: key)
            let data = details(key, error.property(key) ?? [], beside: coded)
            return Unwrapped(envelope: envelope, payload: successes, failures: failures(coded.codes, data))
        }
        // `{code: expired, message: …}`
        for (name, schemas) in error.properties where error.required.contains(name) && !name.contains(".") {
            let property = reader.view(of: schemas)
            guard let values = property.constant.map({ [$0] }) ?? property.values, !values.isEmpty,
                values.count <= Self.mostCodes, values.allSatisfy({ $0.text != nil && !$0.isNull }),
                isApart(name, Set(values.compactMap(\.text)), success)
            else { continue }
            let data = types.use(of: errors, as: .endpoint("RequestError"), .response).type.withoutFile
            let failures = values.compactMap(\.text).map { text in
                CodedFailure(
                    sign: .value(text, key: name), code: property.constant == nil ? text : "requestFailed", data: data,
                    doc: error.description)
            }
            return Unwrapped(envelope: nil, payload: successes, failures: failures)
        }
        return nil
    }

    /// Whether a success cannot have one of the values at a key.
    private func isApart(_ name: String, _ values: Set<String>, _ success: SchemaView) -> Bool {
        guard let schemas = success.property(name) else { return true }
        let other = reader.view(of: schemas)
        guard let own = other.constant.map({ [$0] }) ?? other.values else { return false }
        return own.allSatisfy { value in value.text.map { !values.contains($0) } ?? false }
    }

    private func isError(_ member: Element) -> Bool {
        let view = reader.view(of: [member])
        guard view.isObject, view.alternatives.isEmpty else { return false }
        if onlyError(view) != nil { return true }
        let name = (member.text("$ref")?.split(separator: "/").last.map(String.init) ?? member.text("title") ?? "")
            .lowercased()
        return name == "err" || ["error", "fault", "failure", "problem"].contains { name.contains($0) }
    }

    /// The key of an object that has an error in it and no payload.
    private func onlyError(_ view: SchemaView) -> String? {
        let keys = view.properties.map(\.name).filter { !Self.otherKeys.contains(NameText.folded($0)) }
        guard keys.count == 1, Self.errorKeys.contains(NameText.folded(keys[0])) else { return nil }
        return keys[0]
    }
}
