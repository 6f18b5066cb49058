import ContractModel
import Diagnostics
import YAMLTree

/// A contract of whose types some have no name yet, with what the planners know beside it. `PlanConversion` makes the contract of it.
struct ContractPlan {
    var service = ""
    var version: String?
    var doc: String?
    /// Whether the contract is only compared, so that the origin of each part is recorded.
    var isCompared = false
    /// Comments at the top: who publishes the document, under which license.
    var notes: [String] = []
    /// A comment at the top about the framework of the service.
    var framework: String?
    var servers: [PlannedServer] = []
    /// The other origins that some endpoints are sent to.
    var roles: [PlannedRole] = []
    var session: PlannedSession?
    var credentials: [CredentialDefinition] = []
    /// What the document says of the credentials.
    var credentialNotes: [(name: String, lines: [String])] = []
    var commonHeaders: [PlannedField] = []
    var commonQuery: [PlannedField] = []
    var envelopes: [(name: String, envelope: PlannedEnvelope)] = []
    /// The envelope of most endpoints.
    var defaultEnvelope: String?
    var errors: [PlannedError] = []
    /// The errors that every endpoint has.
    var defaultErrors: [Int] = []
    var types: [PlannedTypeEntry] = []
    var endpoints: [PlannedEndpoint] = []
    /// The document's descriptions of its tags.
    var tagDocs: [String: String] = [:]
    /// The groups that are made of the tags; none unless they are asked for.
    var groups: [(tag: String, name: String)] = []

    /// Why a person should review the time limits, which no document has; nil if all endpoints only read.
    var timeReview: String? {
        endpoints.contains(where: \.writes)
            ? "the document has no time limits, and a write that takes longer than these may be carried out without a result"
            : nil
    }
}

/// A type as the contract spells it, with numbers for types whose names are not yet known.
indirect enum PlannedType: Hashable, Sendable {
    case word(String)
    case named(Int)
    case list(PlannedType)
    case map(PlannedType)
    case optional(PlannedType)
}

struct PlannedField {
    var name = ""
    var wire: String
    /// The wire name in XML, which says where the value is; nil in other encodings.
    var xmlWire: String?
    var type: PlannedType
    var isOptional = false
    /// Whether the document requires it.
    var isRequired = false
    /// Whether null is one of its values.
    var isNullable = false
    var nullable: Nullability?
    var defaultValue: DefaultValue?
    /// The default that the document gives it.
    var documentedDefault: DocumentedDefault?
    /// A wire value whose case is not yet known.
    var defaultCase: String?
    /// The example of the document, and its value once it is known to be one of the contract's.
    var example: PlannedValue?
    var exampleValue: ExampleValue?
    var constraints = Constraints()
    /// What is between the values of a list that is one text.
    var joining: Joining?
    var doc: String?
    /// What the document says about it.
    var schema: Element?
    var isDeprecated = false
    var isSensitive = false
    var contentType: String?
    /// Whether it has the members of an object that no other field has.
    var holdsOtherMembers = false
    /// The only value that it may have.
    var constant: DefaultValue?
    /// Whether its default is the only value that it may have.
    var isConstant = false
    /// Whether the client also reads its numbers from texts.
    var coerces = false
    /// What a person should review.
    var review: String?
    /// Whether it is a constant in the body of a PUT or a PATCH, where lint asks whether a default is meant.
    var isConstantOfUpdate = false
}

/// A value of the document that an example of the contract is made of.
struct PlannedValue {
    var element: Element
    /// The lists around it, each with this one element.
    var listCount = 0
    /// The example of an object that it is a part of.
    var whole: Element?

    init(_ element: Element, of whole: Element? = nil) {
        (self.element, self.whole) = (element, whole)
    }

    /// An example of a list of such values.
    var inList: PlannedValue {
        var value = self
        value.listCount += 1
        return value
    }

    /// The place of the example in the document.
    var place: SourceRange { (whole ?? element).range }
}

/// The default of a field in the document, which the contract may have as a default, or as a sentence about the field.
struct DocumentedDefault {
    var value: Element
    /// Why the contract cannot have it as a default; `nil` if it can.
    var problem: String?
}

/// One entry of `types`.
final class PlannedTypeEntry {
    enum Form {
        case structure([PlannedField])
        /// `areNamesMade` if the document doesn't name the numbers that its values are.
        case enumeration(EnumDefinition, areNamesMade: Bool)
        case union(Distinction, cases: [(value: String, type: PlannedType)])
        case alias(PlannedType, Constraints)
    }

    let number: Int
    var form: Form
    /// The source of its name: its own name, or its place in another type.
    let origin: Origin
    let schema: Element
    /// The place of its schema, which determines its place among the types of the contract.
    var place: ElementKey { schema.key }
    var doc: String?
    var isDeprecated = false
    var name = ""
    /// The name to use if the preferred name is taken.
    var fallback: String?
    /// The name to use rather than one made of the origin, for a type that several places have.
    var sharedName: String?
    /// Whether another type refers to it before its form is known.
    var isAwaited = false
    var isKnown = false
    /// The direction of its values, if a type differs by direction.
    var direction = Direction.both
    /// Whether it is for updates, beside a type of the same schema for everything else.
    var isUpdate = false
    /// The end of its name that the origin does not have.
    var nameEnd = ""

    /// What identifies the case of a union.
    enum Distinction: Hashable {
        /// The value of a key.
        case value(of: String, isNumber: Bool)
        /// The key that only this case has.
        case key
        /// The kind of the JSON value.
        case kind
    }

    enum Origin {
        case component(String)
        /// The parent's name, and the part of the parent that this type describes.
        case part(of: Int, String)
        /// A property that several types have from the same named schema: the schema, and the property.
        case property(of: String, String)
        /// A part of an endpoint: the name of a type for it, and the part's own name if it has one.
        case endpoint(String, part: String? = nil)

        /// The origin of an element, with the singular of the name.
        var element: Origin {
            switch self {
            case .component(let name): .endpoint(NameText.singular(name), part: NameText.singular(name))
            case .part(let parent, let name): .part(of: parent, NameText.singular(name))
            case .property(let owner, let name): .property(of: owner, NameText.singular(name))
            case .endpoint(let name, let part):
                .endpoint(NameText.singular(name), part: part.map(NameText.singular))
            }
        }
    }

    init(number: Int, origin: Origin, schema: Element, form: Form) {
        self.number = number
        self.origin = origin
        self.schema = schema
        self.form = form
    }
}

struct PlannedSession {
    var header: String
    /// The text before the token.
    var prefix = ""
    /// Comments about how a token is obtained.
    var notes: [String] = []
    /// The endpoint that gives tokens.
    var login: String?
}

struct PlannedError {
    var name = ""
    var category: ErrorCategory
    /// Why the category is proposed.
    var reason: String
    var statuses: [ClosedRange<Int>]
    /// What recognizes it in a successful response; `nil` if its status does.
    var sign: FailureSign?
    /// Whether the server may have carried out a request that failed with it, although its condition alone says the opposite.
    var isOpen = false
    /// Whether a repeated command succeeds by it.
    var settles = false
    var data: PlannedType?
    var doc: String?
    /// The first endpoint with this error. It distinguishes the error from others with its status.
    var endpoint = ""
    /// The member of the body that has a single value. It distinguishes the error from others with its status.
    var mark: String?
    /// The end of its name if another error has the usual one; nil if its data is the document's.
    var suffix: String?

    /// Whether it has some of these statuses.
    func takes(_ range: ClosedRange<Int>) -> Bool { statuses.contains { $0.overlaps(range) } }
}

struct PlannedEndpoint {
    enum Content {
        case fields([PlannedField])
        case type(PlannedType)
    }

    struct Body {
        var encoding: BodyDefinition.Encoding
        var content: Content?
        var contentType: String?
        var nesting = BodyDefinition.Nesting.json
        /// The name of the element of a document in XML.
        var element: String?
        /// All media types that the document has for it.
        var mediaTypes: [String] = []
    }

    enum Response {
        case none
        case bytes
        case content(Content)
    }

    struct Outcome {
        var name: String
        var status: ClosedRange<Int>
        var data: PlannedType?
        var doc: String?
    }

    var name: String
    var method: HTTPMethod
    var path: String
    var tag: String?
    var doc: String?
    var session: SessionUse?
    /// The credentials of which the app has to give one alternative.
    var credentials: [CredentialAlternative] = []
    /// The role of the other origin that it is sent to.
    var server: String?
    var query: [PlannedField] = []
    var headers: [PlannedField] = []
    var cookies: [PlannedField] = []
    /// The types of path parameters by their names in the path.
    var pathTypes: [(name: String, wire: String, type: PlannedType)] = []
    var body: Body?
    var response = Response.none
    /// The status of the response; nil if the document declares several, or none.
    var status: Int?
    /// The content of a response that is XML; nil for any other.
    var xmlResponse: Element?
    var responseHeaders: [PlannedField] = []
    /// The media type of a response that is JSON.
    var responseType: String?
    /// The idempotency key, if it has one.
    var effect: IdempotencyKeyDefinition?
    var envelope: PlannedEnvelope?
    /// The failures that a successful status can carry.
    var failures: [CodedFailure] = []
    /// Whether the document describes `failures` under `default`.
    var carriesDefault = false
    var errors: [Int] = []
    var outcomes: [Outcome] = []
    var pages: PlannedPages?
    var stream: StreamDefinition?
    /// Comments above it.
    var notes: [String] = []
    var examples: [PlannedExample] = []
    /// The examples of the parameters in its path, by their names there.
    var pathExamples: [(wire: String, value: PlannedValue)] = []
    /// The examples of its body.
    var bodyExamples: [(name: String, value: Element)] = []
    var element: Element

    /// Marks the guess that a server recognizes a repeated request by a part of it.
    mutating func noteKey(_ part: String) {
        notes.append(
            "errand:review the request is sent again after a lost response, because \(part) seems to be an idempotency key"
        )
    }

    /// The status of the response, unless it is the one that holds without saying it.
    var unusualStatus: Int? {
        let isEmpty = if case .none = response { envelope?.success.isEmpty != false } else { false }
        return status == EndpointDefinition.usualStatus(hasBody: !isEmpty, of: method) ? nil : status
    }

    /// Whether it changes something on the server.
    var writes: Bool { method.effect != .read }

    /// Whether sending it twice differs from sending it once, and no key identifies it.
    var isOnce: Bool { effect == nil && (method == .post || method == .patch) }
}

/// An example of an endpoint, with the places of the document that its parts are from.
struct PlannedExample {
    var name: String
    var request: (value: ExampleValue, places: [SourceRange])?
    var response: (value: ExampleValue, element: Element)?
}
