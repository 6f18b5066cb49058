import ContractModel
import Diagnostics

// The bodies of requests and responses.
extension EndpointPlanner {
    // MARK: Body

    func planBody(_ endpoint: inout PlannedEndpoint, _ operation: Operation) -> Bool {
        guard let body = operation.body, let media = chosen(body.media, at: body.element, isSent: true),
            !isEmpty(body, media)
        else {
            return true
        }
        guard endpoint.method != .get, endpoint.method != .head else {
            findings.add(
                .openAPIBodyLost, "the body of a \(endpoint.method.rawValue.uppercased()) request is left out",
                at: body.element)
            body.element.settle()
            return body.element.text("required") != "true"
        }
        guard plan(media, of: body, &endpoint) else { return false }
        endpoint.body?.mediaTypes = body.media.map(\.type)
        endpoint.bodyExamples = media.examples.values
        if body.isOptional, !mayBeEmpty(endpoint.body) {
            findings.add(
                .openAPIBodyLost,
                "the body is optional in the document (`required: false`), but the client always sends it",
                at: body.element)
        }
        return true
    }

    /// Whether the request has an empty body if the app sets no field.
    private func mayBeEmpty(_ body: PlannedEndpoint.Body?) -> Bool {
        guard case .fields(let fields)? = body?.content else { return body == nil }
        return !fields.contains(where: \.isRequired)
    }

    private func plan(_ media: Media, of body: RequestBody, _ endpoint: inout PlannedEndpoint) -> Bool {
        loseEncodings(of: media)
        if media.isJSON {
            guard planJSON(media, &endpoint) else { return false }
            if endpoint.body?.encoding == .json, media.type.hasSuffix("+json"), !media.type.contains("*") {
                endpoint.body?.contentType = media.type
            } else if media.type == "text/json" {
                findings.add(
                    .openAPIMediaLost,
                    "the body is sent as `application/json`, but the document declares `\(media.type)`",
                    at: media.element)
            }
            return true
        }
        if media.isForm || media.isMultipart { return planForm(media, body, &endpoint) }
        if let schema = structure(of: media), let element = XMLPlanner.element(of: schema, types.documents) {
            guard planJSON(media, &endpoint) else { return false }
            if endpoint.body?.encoding == .json {
                endpoint.body?.encoding = .xml
                endpoint.body?.element = element
                endpoint.body?.contentType = media.type == "application/xml" ? nil : media.type
            }
            return true
        }
        endpoint.body = .init(
            encoding: .bytes, content: nil, contentType: media.type.contains("*") ? nil : media.type)
        if loseElements(of: media, isSent: true) { return true }
        reportBytes(of: media, isSent: true)
        media.schema?.settle()
        return true
    }

    /// The schema of a document in XML that has elements; nil for any other content.
    private func structure(of media: Media) -> Element? {
        guard media.isXML, let schema = media.schema else { return nil }
        let view = types.reader.view(of: [schema])
        let isStructure = !view.properties.isEmpty || !view.alternatives.isEmpty || view.types == ["array"]
        return isStructure ? schema : nil
    }

    /// Whether the schema of a form says something about its content.
    private func isDeclared(_ media: Media) -> Bool {
        guard let schema = media.schema else { return false }
        let view = types.reader.view(of: [schema])
        return !view.properties.isEmpty || !view.alternatives.isEmpty || !view.additional.isEmpty
            || !view.types.allSatisfy { $0 == "object" }
    }

    /// The media type that the contract uses. A finding reports the others. Other formats of the same content are no loss, and are
    /// counted.
    ///
    /// - Parameter isSent: whether it is a request, where only a multipart body may carry the files.
    private func chosen(_ all: [Media], at element: Element, isSent: Bool = false) -> Media? {
        let files = MultipartFiles(types.reader)
        // A form without declared fields says less than other formats.
        let known = all.filter { !($0.isForm || $0.isMultipart) || isDeclared($0) }
        let chosen =
            all.first { isSent && files.areOnly(in: $0, among: all) } ?? all.first { $0.type == "application/json" }
            ?? all.first(where: \.isJSON) ?? known.first(where: \.isForm)
            ?? known.first(where: \.isMultipart) ?? all.first(where: \.isXML) ?? known.first ?? all.first
        guard let chosen else { return nil }
        for other in all {
            if other.element.key != chosen.element.key { other.element.settle() }
            if other.schema?.key != chosen.schema?.key { other.schema?.settle() }
        }
        // The same type may have parameters, such as a profile.
        let content = chosen.schema?.fingerprint(depth: 0)
        let others = all.filter { $0.type != chosen.type || $0.schema?.fingerprint(depth: 0) != content }
        guard !others.isEmpty else { return chosen }
        let formats = others.filter { $0.schema?.fingerprint(depth: 0) == content }.map { "`\($0.type)`" }
        let lost = others.filter { $0.schema?.fingerprint(depth: 0) != content }.map { "`\($0.type)`" }
        if !formats.isEmpty {
            findings.count(.openAPIMediaLost, formats.joined(separator: ", "), of: chosen.type, at: chosen.element)
        }
        if !lost.isEmpty {
            findings.add(
                .openAPIMediaLost,
                "the client uses `\(chosen.type)`, so \(lost.joined(separator: ", ")) \(lost.count == 1 ? "is" : "are") left out",
                at: chosen.element)
        }
        return chosen
    }

    func inner(_ part: String = "") -> (String) -> PlannedTypeEntry.Origin {
        let name = NameText.typeName(name) + part
        return { .endpoint(name + NameText.typeName($0), part: $0) }
    }

    /// The type of a whole body.
    func part(_ name: String) -> PlannedTypeEntry.Origin {
        .endpoint(NameText.typeName(self.name) + name, part: name)
    }

    private func planJSON(_ media: Media, _ endpoint: inout PlannedEndpoint) -> Bool {
        guard let schema = media.schema else {
            endpoint.body = .init(encoding: .json, content: .type(.word("json")))
            return true
        }
        if var fields = inlineFields(schema, .request, inner()) {
            // In XML, the key may be in a place that has no element.
            if media.isXML {
                noteIdempotencyKey(of: schema, &endpoint)
            } else {
                fields = withoutIdempotencyKey(fields, schema, &endpoint)
            }
            endpoint.body = .init(encoding: .json, content: .fields(fields))
            return true
        }
        noteIdempotencyKey(of: schema, &endpoint)
        let use = types.use(of: schema, as: part("Body"), .request)
        if use.type == .word("file") {
            endpoint.body = .init(encoding: .bytes, content: nil)
            return true
        }
        endpoint.body = .init(encoding: .json, content: .type(named(use, "Body", at: schema)))
        return true
    }

    /// A type with the constraints of its schema, because a body has no field for them.
    private func named(_ use: TypeUse, _ part: String, at schema: Element) -> PlannedType {
        guard !use.constraints.isEmpty, use.type != .word("json") else { return use.type.withoutFile }
        return types.shared(use, as: NameText.typeName(name) + part, at: schema)
    }

    /// The fields of an object that is defined in the operation itself.
    private func inlineFields(
        _ schema: Element, _ direction: Direction, _ origin: (String) -> PlannedTypeEntry.Origin
    ) -> [PlannedField]? {
        guard !schema.isReference, types.reader.isNullable(schema) == false else { return nil }
        let view = types.reader.view(of: [schema])
        guard !view.properties.isEmpty, view.alternatives.isEmpty, view.types.isEmpty || view.types == ["object"],
            types.isInlineObject(schema)
        else { return nil }
        // A type of its own has them.
        if view.additional.first != nil { return nil }
        return types.fields(of: view, below: schema, in: origin, direction)
    }

    /// The runtime fills a field by which the server recognizes a repeated request.
    private func withoutIdempotencyKey(
        _ fields: [PlannedField], _ schema: Element, _ endpoint: inout PlannedEndpoint
    ) -> [PlannedField] {
        guard let index = fields.firstIndex(where: { Self.isIdempotencyKey($0.wire) }) else { return fields }
        let field = fields[index]
        guard endpoint.effect == nil, field.type == .word("string") || field.type == .word("uuid") else {
            reportIdempotencyKey(field.wire, schema)
            return fields
        }
        endpoint.effect = IdempotencyKeyDefinition(place: .field(Located(field.wire)))
        endpoint.noteKey("the field `\(field.wire)`")
        return fields.enumerated().filter { $0.offset != index }.map(\.element)
    }

    /// A field of a type that other endpoints may use stays in that type.
    private func noteIdempotencyKey(of schema: Element, _ endpoint: inout PlannedEndpoint) {
        let names = types.reader.view(of: [schema]).properties.map(\.name)
        if let name = names.first(where: Self.isIdempotencyKey) { reportIdempotencyKey(name, schema) }
    }

    private static func isIdempotencyKey(_ wire: String) -> Bool { NameText.folded(wire) == "idempotencykey" }

    private func reportIdempotencyKey(_ name: String, _ schema: Element) {
        findings.add(
            .openAPIEffectLost, "`\(name)` is an idempotency key in the body, and becomes an ordinary field",
            at: schema,
            help: "the app has to create the key, and the client does not send a lost request again")
    }

    // MARK: Responses

    func planResponses(_ endpoint: inout PlannedEndpoint, _ operation: Operation) {
        var successes = operation.responses.filter(\.isSuccess)
        var failures = operation.responses.filter { !$0.isSuccess }
        if successes.isEmpty, let position = failures.firstIndex(where: \.isDefault),
            meansSuccess(failures[position], operation)
        {
            successes = [failures.remove(at: position)]
            endpoint.notes.append(
                "errand:review the document declares the usual response as `default`, without its status")
        }
        successes.sort { rank($0) < rank($1) }
        if let first = successes.first {
            endpoint.response = response(first, of: operation, &endpoint)
            if let statuses = first.statuses, statuses.count == 1 { endpoint.status = statuses.lowerBound }
        }
        planHeaders(&endpoint, operation, success: successes.first)
        for other in successes.dropFirst() {
            guard let statuses = other.statuses, statuses.count == 1 else {
                findings.add(
                    .openAPIResponseLost,
                    "the response `\(other.status)` is left out, because the endpoint already has a response",
                    at: other.element)
                continue
            }
            var outcome = PlannedEndpoint.Outcome(name: StatusNames.outcome(statuses.lowerBound), status: statuses)
            outcome.doc = other.description
            if endpoint.method != .head { outcome.data = dataType(of: other, outcome.name, endpoint.envelope) }
            endpoint.outcomes.append(outcome)
        }
        for failure in failures where !(endpoint.carriesDefault && failure.isDefault) {
            guard failure.isDefault || failure.statuses != nil else {
                findings.add(.openAPIResponseLost, "`\(failure.status)` is not an HTTP status", at: failure.element)
                continue
            }
            if let statuses = failure.statuses, statuses.lowerBound < 300 {
                findings.add(
                    .openAPIResponseLost, "the transport handles a response \(failure.status), so an app never gets it",
                    at: failure.element, isMinor: true)
                continue
            }
            if failure.statuses == 304...304 {
                findings.add(
                    .openAPIResponseLost,
                    "a 304 is no error: the client makes no request conditional, and a cache handles the 304 to its own",
                    at: failure.element, isMinor: true)
                continue
            }
            if let statuses = failure.statuses, !successes.isEmpty, isFollowed(statuses, endpoint.method) {
                findings.add(
                    .openAPIResponseLost,
                    "the client follows a redirect with status \(failure.status), so an app gets the response at its end",
                    at: failure.element, isMinor: true)
                continue
            }
            // The response of a HEAD request has no body.
            let part = failure.statuses.map { StatusNames.error($0) } ?? "failure"
            let data = endpoint.method == .head ? nil : dataType(of: failure, part, endpoint.envelope)
            if endpoint.method == .head { failure.settleContent() }
            errors.record(failure, data: data, endpoint: endpoint.name)
        }
    }

    /// Whether the client follows redirects with these statuses, if no row of the contract names them. With a row, it would
    /// not reach the usual response.
    private func isFollowed(_ statuses: ClosedRange<Int>, _ method: HTTPMethod) -> Bool {
        statuses.count == 1
            && DecisionTable.method(of: method.rawValue.uppercased(), redirectedWith: statuses.lowerBound) != nil
    }

    /// The usual response first: 200, then those with a body, then by number.
    private func rank(_ response: Response) -> (Int, Int) {
        let status = response.statuses?.lowerBound ?? 0
        return (response.status == "200" ? 0 : response.media.isEmpty ? 2 : 1, status)
    }

    private func meansSuccess(_ response: Response, _ operation: Operation) -> Bool {
        let words = (response.description ?? "").lowercased()
        return ["success", "ok", "result", "created", "response"].contains { words.contains($0) }
            && !words.contains("error")
            && !words.contains("unexpected")
    }

    private func response(
        _ response: Response, of operation: Operation, _ endpoint: inout PlannedEndpoint
    ) -> PlannedEndpoint.Response {
        guard endpoint.method != .head else {
            response.settleContent()
            return .none
        }
        guard !isBare(response), let media = chosen(response.media, at: response.element) else { return .none }
        loseEncodings(of: media)
        if let stream = stream(media, of: operation, &endpoint) { return stream }
        if operation.arrival == .stream {
            findings.add(
                .openAPIMediaLost, "`\(media.type)` is left out, because the document gives its elements no type",
                at: media.element)
            media.element.settle()
            return .none
        }
        let isXML = structure(of: media) != nil
        guard media.isJSON || isXML else {
            if loseElements(of: media, isSent: false) { return .bytes }
            reportBytes(of: media, isSent: false)
            media.schema?.settle()
            return .bytes
        }
        if isXML { endpoint.xmlResponse = media.element } else { endpoint.responseType = media.type }
        guard var schema = media.schema else { return .content(.type(.word("json"))) }
        if !isXML, let unwrapped = envelopes.unwrapped(schema, of: operation) {
            endpoint.envelope = unwrapped.envelope
            endpoint.failures = unwrapped.failures
            endpoint.carriesDefault = unwrapped.carriesDefault
            if unwrapped.payload.count == 1, !unwrapped.isOptional {
                schema = unwrapped.payload[0]
            } else {
                return payload(unwrapped)
            }
        }
        if let fields = inlineFields(schema, .response, inner("Response")) {
            return .content(fields.isEmpty ? .type(.map(.word("json"))) : .fields(fields))
        }
        let use = types.use(of: schema, as: part("Result"), .response)
        if use.type == .word("file") {
            endpoint.responseType = nil
            endpoint.xmlResponse = nil
            return .bytes
        }
        let type = use.type.withoutFile
        return .content(.type(use.isNullable && type != .word("json") ? .optional(type) : type))
    }

    /// A payload that may be missing, or that has several schemas.
    private func payload(_ unwrapped: Unwrapped) -> PlannedEndpoint.Response {
        if unwrapped.payload.allSatisfy(types.reader.isNullOnly) { return .none }
        let use = types.use(of: unwrapped.payload, as: part("Result"), .response)
        let type = use.type.withoutFile
        let isOptional = (use.isNullable || unwrapped.isOptional) && type != .word("json")
        return .content(.type(isOptional ? .optional(type) : type))
    }

    /// Whether HTTP forbids a body. A body that the document declares is reported.
    private func isBare(_ response: Response) -> Bool {
        guard let status = response.statuses?.lowerBound, [204, 205].contains(status) else { return false }
        if let media = response.media.first(where: { $0.schema != nil }) {
            findings.add(
                .openAPIResponseLost, "the body is left out, because a response \(status) has none", at: media.element)
        }
        return true
    }

    /// Whether a schema is an object without properties.
    private func isNothing(_ schema: Element) -> Bool {
        schema["additionalProperties"]?.text == "false" && schema["properties"]?.entries.isEmpty != false
            && ["allOf", "oneOf", "anyOf", "$ref"].allSatisfy { schema[$0] == nil }
    }

    /// The payload of an error or an outcome. Equal inline schemas are one type.
    private func dataType(of response: Response, _ part: String, _ envelope: PlannedEnvelope?) -> PlannedType? {
        guard !isBare(response) else { return nil }
        let hasJSON = response.media.contains(where: \.isJSON)
        guard hasJSON, let media = chosen(response.media, at: response.element) else {
            if let other = response.media.first {
                findings.add(.openAPIMediaLost, "the `\(other.type)` of a failure is not read", at: other.element)
                response.settleContent()
            }
            return nil
        }
        guard var schema = media.schema else { return nil }
        guard !isNothing(schema) else {
            schema.settle()
            return nil
        }
        if let envelope, envelope.data != nil {
            guard let inner = envelopes.payload(ofFailure: schema, in: envelope)?.first, !types.reader.isNullOnly(inner)
            else { return nil }
            schema = inner
            let type = types.sharedData(schema, as: NameText.typeName(part) + "Details", of: name)
            return type == .word("json") ? nil : type
        }
        return types.sharedData(schema, as: NameText.typeName(part) + "Details", of: name)
    }
}
