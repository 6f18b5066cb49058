import Diagnostics

/// One example of an endpoint: what is sent, and what comes back.
package struct ExampleDefinition: Sendable {
    package var name: Located<String>
    package var request: ExampleValue?
    package var response: ExampleValue?
    /// An example of a declared error's or an outcome's data, by its name.
    package var cases: [(name: Located<String>, data: ExampleValue)]

    package init(
        name: Located<String>, request: ExampleValue?, response: ExampleValue?,
        cases: [(name: Located<String>, data: ExampleValue)]
    ) {
        self.name = name
        self.request = request
        self.response = response
        self.cases = cases
    }
}

/// A value in an example. Scalars keep their source text; what they are is the type's to say.
package indirect enum ExampleValue: Sendable {
    case scalar(text: String, isQuoted: Bool, SourceRange)
    case list([ExampleValue], SourceRange)
    case object([(key: Located<String>, value: ExampleValue)], SourceRange)

    package var range: SourceRange {
        get {
            switch self {
            case .scalar(_, _, let range), .list(_, let range), .object(_, let range): range
            }
        }
        set {
            switch self {
            case .scalar(let text, let isQuoted, _): self = .scalar(text: text, isQuoted: isQuoted, newValue)
            case .list(let values, _): self = .list(values, newValue)
            case .object(let pairs, _): self = .object(pairs, newValue)
            }
        }
    }
}
