import ContractChecks
import ContractModel
import JSONTree
import MockServer
import SwiftEmitter

/// Makes the page of an endpoint.
struct EndpointPage {
    let contract: ResolvedContract
    let links: SiteLinks
    let calls: CallSample
    let examples: ExchangeExamples
    var limits = PageLimits()

    private var rows: FieldRows { FieldRows(links: links, limits: limits) }
    private var prose: Prose { Prose(limits: limits) }

    func input(_ endpoint: ResolvedEndpoint, _ explanation: EndpointExplanation, page: PageHead) -> EndpointInput {
        let curl = CurlSample(contract).command(for: endpoint)
        let frame = FrameExchange(contract, endpoint)
        return EndpointInput(
            page: page, name: endpoint.name.value, request: explanation.request,
            doc: prose.paragraphs(endpoint.definition.doc),
            deprecation: prose.deprecation(endpoint.definition.deprecated),
            effect: Self.effect(endpoint.effect), reason: [Prose.sentence(explanation.effect)],
            remarks: remarks(endpoint, explanation), inputs: rows.table("Inputs", inputs(of: endpoint)),
            body: body(of: endpoint), response: response(of: endpoint), responseFields: responseFields(of: endpoint),
            responseHeaders: rows.table("Headers of the response", endpoint.responseHeaders),
            outcomes: endpoint.outcomes.prefix(limits.rows).map(outcome), outcomesLeft: outcomesLeft(endpoint),
            rows: decisions(explanation),
            timeline: TimelineDrawing.input(
                explanation, isStream: endpoint.delivery == .stream),
            signature: Prose.bounded(calls.signature(of: endpoint), limits.text),
            call: calls.call(of: endpoint).map { Prose.bounded($0, limits.text) },
            curl: curl.map { Prose.bounded($0.text, limits.text) },
            curlRemarks: (curl?.remarks ?? []).map(Prose.sentence),
            curlAbsence: curl == nil && frame == nil
                ? "There is no command for curl, because the whole URL is an input." : nil,
            frame: frame.map { Prose.bounded($0.request, limits.text) },
            frameReply: frame?.reply.map { Prose.bounded($0, limits.text) },
            frameRemarks: (frame?.remarks ?? []).map(Prose.sentence), examples: examples.of(endpoint, limits),
            examplesLeft: examples.left(of: endpoint, limits))
    }

    /// A few words about sending a command twice.
    static func effect(_ effect: Effect) -> String {
        switch effect {
        case .read: "Safe to send again: it only reads"
        case .idempotent: "Safe to send again: it changes nothing more"
        case .keyed: "Safe to send again: with the same key"
        case .once: "Not safe to send again"
        }
    }

    private func remarks(_ endpoint: ResolvedEndpoint, _ explanation: EndpointExplanation) -> [Paragraph] {
        var sentences: [String] = []
        switch endpoint.session {
        case .required: sentences.append("it needs a session")
        case .optional where contract.session != nil:
            sentences.append("it carries the session's token, if there is one")
        default: break
        }
        sentences += [explanation.server, explanation.group, explanation.credentials].compactMap { $0 }
        sentences += [explanation.durable, explanation.share].compactMap { $0 }
        sentences += explanation.cache
        sentences += [explanation.pages].compactMap { $0 }
        sentences += explanation.connection
        if let confirm = endpoint.definition.confirm {
            sentences.append("`\(confirm.endpoint.value)` finds out whether it took effect, if that is unknown")
        }
        sentences += [explanation.redirects].compactMap { $0 }
        return sentences.map(Prose.sentence)
    }

    // MARK: Inputs and response

    private func inputs(of endpoint: ResolvedEndpoint) -> [(field: FieldDefinition, place: String?)] {
        var inputs: [(field: FieldDefinition, place: String?)] = []
        inputs += (endpoint.path?.parameters ?? []).map { ($0, "path") }
        inputs += endpoint.query.map { ($0, "query") }
        inputs += endpoint.headers.map { ($0, "header") }
        inputs += endpoint.cookies.map { ($0, "cookie") }
        if case .fields(let fields)? = endpoint.body?.content {
            inputs += fields.map { ($0, endpoint.frame == nil ? "body" : "frame") }
        }
        return inputs
    }

    private func body(of endpoint: ResolvedEndpoint) -> [Paragraph] {
        guard let body = endpoint.body else { return [] }
        let words: [BodyDefinition.Encoding: String] = [
            .json: "JSON", .xml: "XML", .form: "a form", .multipart: "a form in parts (`multipart/form-data`)",
            .bytes: "bytes",
        ]
        let form = words[body.encoding] ?? body.encoding.rawValue
        switch body.content {
        case .fields: return endpoint.frame == nil ? [Prose.sentence("the body is \(form)")] : []
        case .type(let type, _):
            return [Paragraph(runs: [.text("The body is \(form), a value of ")] + rows.type(type) + [.text(".")])]
        case .bytes(let contentType):
            return [Paragraph(runs: [.text("The body is bytes of the type "), .code(contentType), .text(".")])]
        }
    }

    private func response(of endpoint: ResolvedEndpoint) -> [Paragraph] {
        var paragraphs: [Paragraph] = []
        switch endpoint.response.value {
        case .none: paragraphs.append(Prose.sentence("a success has no content"))
        case .bytes: paragraphs.append(Prose.sentence("a success has the bytes of the body"))
        case .type(let type, _, _):
            let start = endpoint.delivery == .stream ? "Each element is a value of " : "A success has a value of "
            paragraphs.append(Paragraph(runs: [.text(start)] + rows.type(type) + [.text(".")]))
        case .fields:
            paragraphs.append(
                Prose.sentence(
                    endpoint.delivery == .stream ? "each element has these fields" : "a success has these fields"))
        }
        if let status = endpoint.definition.status {
            paragraphs.append(Prose.sentence("its status is \(status.value)"))
        }
        guard endpoint.delivery != .none else { return paragraphs }
        let envelope = endpoint.envelope.flatMap { contract.envelope(named: $0) }
        let place = EnvelopePlaces.place(of: endpoint, in: contract)
        if let envelope, let path = payloadPath(of: endpoint, in: envelope) {
            paragraphs.append(
                Prose.sentence("it is at `\(path)` in \(place), in the envelope `\(envelope.name.value)`"))
        }
        let hasData =
            endpoint.outcomes.contains { $0.data != nil }
            || endpoint.errors.contains { contract.error(named: $0)?.data != nil }
        if envelope?.code != nil || envelope?.message != nil || envelope?.error != nil || hasData {
            paragraphs.append(Prose.sentence(EnvelopePlaces.sentence(envelope, in: place)))
        }
        return paragraphs
    }

    /// Where the payload of a success is; nil if it is the whole body, or if there is none.
    private func payloadPath(of endpoint: ResolvedEndpoint, in envelope: EnvelopeDefinition) -> String? {
        switch endpoint.response.value {
        case .none, .bytes: return nil
        case .type(let type, _, _) where contract.expanded(type.unwrapped).type.isList:
            return (envelope.list ?? envelope.data)?.value.text
        case .type, .fields: return envelope.data?.value.text
        }
    }

    private func outcomesLeft(_ endpoint: ResolvedEndpoint) -> String? {
        let left = endpoint.outcomes.count - limits.rows
        return left > 0 ? "The contract has \(left) more outcomes of this endpoint." : nil
    }

    private func responseFields(of endpoint: ResolvedEndpoint) -> FieldTable? {
        guard case .fields(let fields) = endpoint.response.value else { return nil }
        return rows.table("Fields of the response", fields)
    }

    private func outcome(_ outcome: OutcomeDefinition) -> OutcomeInput {
        let answers = outcome.conditions.map(\.answer).joined(separator: ", or ")
        var input = OutcomeInput(
            name: outcome.name.value, doc: prose.paragraphs(outcome.doc), answer: prose.line(answers), type: [])
        switch outcome.data {
        case .fields(let fields): input.data = rows.table("Data of \(outcome.name.value)", fields)
        case .type(let type, _): input.type = rows.type(type)
        case nil: break
        }
        return input
    }

    /// The decision table. One that is too long ends with a row that says so.
    private func decisions(_ explanation: EndpointExplanation) -> [DecisionRowInput] {
        let left = explanation.rows.count - limits.rows
        guard left > 0 else { return explanation.rows.map(row) }
        let end = DecisionRowInput(
            answer: [.text("… \(left) more rows")], result: [], category: "", applied: "",
            then: [.text("as "), .code("errand explain"), .text(" prints")])
        return explanation.rows.prefix(limits.rows).map(row) + [end]
    }

    private func row(_ row: EndpointExplanation.Row) -> DecisionRowInput {
        let isError = row.category != "outcome" && !row.category.isEmpty
        return DecisionRowInput(
            answer: prose.line(row.answer),
            result: [.code(row.means, href: isError ? links.href(ofError: row.means) : nil)], category: row.category,
            applied: row.applied, then: Prose.line(row.then))
    }
}
