import ContractModel
import Diagnostics

package enum AmbiguousPaths: LintRule {
    package static let kind = FindingKind(
        "ambiguous-paths",
        page: """
            Two endpoints with the same method whose paths differ only in the names of parameters, and which send the same inputs.

            Endpoints are not reported if what they always send differs: the defaults in the query or in a header (`?beta=true`), the
            required inputs, the encoding or the media type of the body, or the values of constants in it. Neither are they reported if
            one asks for a stream, and the other for a whole response. A server can tell such requests apart: a login with a `password`
            from a login with a `code`, a post for now from one with a required `scheduledAt`, and `Accept: text/event-stream` from
            `Accept: application/json`. In Swift, each is a command of its own with its own response.

            ## Why is this bad
            A server cannot tell the two requests apart, so both endpoints do the same.

            ## Example
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: string}
            findBook: {get: "/books/{title}", response: string}
            ```
            ## Use instead
            ```yaml
            getBook: {get: "/books/{bookID:int}", response: string}
            findBook: {get: "/books/by-title/{title}", response: string}
            ```
            """)

    package static let tags: [RuleTag] = [.http]

    package static func check(_ subject: LintSubject, _ report: inout RuleReport) {
        var first: [Request: LintedEndpoint] = [:]
        for endpoint in subject.endpoints {
            guard case .http(let method, let path) = endpoint.written.target, case .path = path.value else {
                continue
            }
            let request = Request(
                server: endpoint.resolved.server?.value, method: method, shape: path.value.shape,
                inputs: inputs(endpoint.resolved.query + endpoint.resolved.headers + endpoint.resolved.cookies),
                body: body(of: endpoint, subject), stream: endpoint.resolved.stream?.format,
                isXML: endpoint.resolved.isXMLResponse)
            guard let other = first[request], case .http(_, let place) = other.written.target else {
                first[request] = endpoint
                continue
            }
            report.add(
                "`\(other.name)` sends the same request", at: path.range,
                notes: [
                    DiagnosticNote(
                        "its path",
                        at: place.range)
                ],
                help: "change the path of one endpoint, or merge the two endpoints")
        }
    }

    /// What a server can tell requests apart by, whatever the app puts into them.
    private struct Request: Hashable {
        let server: String?
        let method: HTTPMethod
        let shape: String
        let inputs: Inputs
        let body: Body?
        /// Which media type of streams it asks for.
        let stream: StreamDefinition.Format?
        /// Whether it asks for a document in XML.
        let isXML: Bool
    }

    /// The names of the inputs that each request contains, and the texts that it contains without a decision of the app.
    private struct Inputs: Hashable {
        var names = Set<String>()
        var constants: [String: String] = [:]
    }

    private struct Body: Hashable {
        let encoding: BodyDefinition.Encoding
        let contentType: String?
        let inputs: Inputs
        /// The type of a body that is not an object with known fields.
        let type: String?
    }

    private static func inputs(_ fields: [FieldDefinition], isInBody: Bool = false) -> Inputs {
        var inputs = Inputs()
        for field in fields where !field.type.isOptional || field.writesNull {
            if field.defaultValue == nil {
                inputs.names.insert(field.wireName)
            } else if let constant = field.constant(isInBody: isInBody)?.scalarText {
                inputs.constants[field.wireName] = constant
            }
        }
        return inputs
    }

    private static func body(of endpoint: LintedEndpoint, _ subject: LintSubject) -> Body? {
        guard let body = endpoint.resolved.body else { return nil }
        switch body.content {
        case .bytes(let contentType):
            return Body(encoding: body.encoding, contentType: contentType, inputs: Inputs(), type: nil)
        case .fields(let fields):
            return Body(
                encoding: body.encoding, contentType: body.contentType, inputs: inputs(fields, isInBody: true),
                type: nil)
        case .type(let type, _):
            let type = subject.expanded(type)
            guard case .named(let name) = type, case .structure(let fields)? = subject.type(named: name.value)?.form
            else {
                return Body(
                    encoding: body.encoding, contentType: body.contentType, inputs: Inputs(), type: type.spelling)
            }
            return Body(
                encoding: body.encoding, contentType: body.contentType, inputs: inputs(fields, isInBody: true),
                type: nil)
        }
    }
}
