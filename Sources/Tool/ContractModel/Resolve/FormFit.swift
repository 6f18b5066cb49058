import Diagnostics

/// The reason why a type can't be sent in a form.
enum FormProblem {
    /// Lists, maps and structures are nested deeper than ``deepest``. A structure that contains itself always is.
    case tooDeep
    /// The type contains a type that isn't made of single values. The value is the spelling of that type.
    case holds(String)
    /// A field distinguishes null from absent, and a form has no null.
    case tellsNull(String, Nullability)
    /// The wire name of a field would address another place.
    case misleads(String)

    /// The maximum number of brackets in a name.
    static let deepest = 8

    var explanation: String {
        switch self {
        case .tooDeep: "is nested deeper than \(Self.deepest)"
        case .holds(let spelling): "holds `\(spelling)`"
        case .tellsNull(let field, let word): "has the field `\(field)` with `nullable: \(word.rawValue)`"
        case .misleads(let name): "has a field with the wire name `\(name)`, which is empty or has brackets"
        }
    }
}

/// A type at a depth, as the key of a known result.
struct FormFitKey: Hashable {
    var type: String
    var depth: Int
}

extension Resolution {
    mutating func checkFormField(_ field: FieldDefinition, _ type: TypeReference) {
        checkBrackets(field, type, "a form", help: "use `encoding: json`")
    }

    /// A value in a multipart body with `nesting: brackets`.
    mutating func checkBracketed(_ field: FieldDefinition, _ type: TypeReference) {
        checkBrackets(
            field, type, "a body with `nesting: brackets`",
            help: "give it `contentType: application/json`, which sends it as one JSON part")
    }

    private mutating func checkBrackets(
        _ field: FieldDefinition, _ type: TypeReference, _ what: String, help: String
    ) {
        guard let problem = formProblem(of: type, depth: 0) else { return }
        let reason =
            if case .holds(let spelling) = problem, spelling == type.spelling { "is not made of single values" } else {
                problem.explanation
            }
        report(
            .invalidParameterType, "\(what) cannot contain a `\(field.type.spelling)`, which \(reason)",
            at: field.typeRange, help: help)
    }

    /// The problem of a type in a form; `nil` if the type can be sent. Each type is examined once per depth.
    private mutating func formProblem(of type: TypeReference, depth: Int) -> FormProblem? {
        if isScalar(type) { return nil }
        guard let type = expanded(type) else { return nil }  // reported elsewhere
        switch type {
        case .list(let element), .map(let element):
            if depth == FormProblem.deepest { return .tooDeep }
            guard !element.isOptional else { return .holds(element.spelling) }
            return formProblem(of: element, depth: depth + 1)
        case .named(let name):
            guard let definition = self.type(name.value) else { return nil }  // reported elsewhere
            guard case .structure(let fields) = definition.form else { return .holds(type.spelling) }
            if depth == FormProblem.deepest { return .tooDeep }
            let key = FormFitKey(type: name.value, depth: depth)
            if let known = formProblems[key] { return known }
            var problem: FormProblem?
            for field in fields where problem == nil {
                let wire = field.wireName
                if field.holdsOtherMembers {
                    problem = .holds(FieldDefinition.otherMembersName)
                } else if wire.isEmpty || wire.contains("[") || wire.contains("]") {
                    problem = .misleads(wire)
                } else if let word = field.nullable {
                    problem = .tellsNull(field.name.value, word)
                } else {
                    problem = formProblem(of: field.type.unwrapped, depth: depth + 1)
                }
            }
            formProblems[key] = .some(problem)
            return problem
        case .primitive, .optional: return .holds(type.spelling)
        }
    }
}
