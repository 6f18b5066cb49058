// What can be wrong with the types of a contract and with their fields.
extension FindingKind {
    static let kindsOfTypes: [FindingKind] = [
        .aliasCycle, .aliasTooDeep, .duplicateEnumValue, .duplicateWireName, .emptyEnum, .emptyUnion, .invalidType,
        .mixedEnumValues, .optionalAlias, .readingMustBeStrict, .recursiveTypeWithoutIndirection, .unionCaseMismatch,
        .unionDiscriminatorClash, .unionKeyAmbiguous, .unionWithoutDiscriminator, .unknownType, .unnamedEnumNumber,
    ]

    package static let aliasCycle = FindingKind(
        "alias-cycle", finds: "An alias that leads back to itself.",
        why: "The type contains itself without end, so it has no values.",
        wrong: "types:\n  Price: {alias: Amount}\n  Amount: {alias: Price}",
        right: "types:\n  Price: {alias: Amount}\n  Amount: {alias: decimal}")

    package static let aliasTooDeep = FindingKind(
        "alias-too-deep", finds: "Lists and maps that are nested more than 32 deep through aliases.",
        why: "The Swift compiler takes exponential time for such a type.", .lines,
        wrong: "types:\n  Row: {alias: [Cell]}\n  Table: {alias: [Row]}\n  # and 31 more",
        instead: "Declare a structure in between: `Table: {rows: [Row]}`.")

    package static let duplicateEnumValue = FindingKind(
        "duplicate-enum-value", finds: "A value that occurs twice in an enum.",
        why: "The client could never read one of the two cases.",
        wrong: "types:\n  Color: {enum: [red, green, red]}", right: "types:\n  Color: {enum: [red, green, blue]}")

    package static let duplicateWireName = FindingKind(
        "duplicate-wire-name", finds: "Two fields with the same name on the wire.",
        why: "A JSON object has each key once, so one of the two values would be lost.",
        wrong: "types:\n  Book: {title: string, name: {type: string, wire: title}}",
        right: "types:\n  Book: {title: string, name: {type: string, wire: short_title}}")

    package static let emptyEnum = FindingKind(
        "empty-enum", finds: "An enum without values.", why: "No value could have this type.",
        wrong: "types:\n  Color: {enum: []}", right: "types:\n  Color: {enum: [red, green]}")

    package static let emptyUnion = FindingKind(
        "empty-union", finds: "A union without cases.", why: "No value could have this type.",
        wrong: "types:\n  Shape: {union: {by: kind, cases: {}}}",
        right: "types:\n  Shape: {union: {by: kind, cases: {circle: Circle}}}\n  Circle: {radius: double}")

    package static let invalidType = FindingKind(
        "invalid-type", finds: "A text that is not a type.",
        why: "The tool cannot generate the field.",
        wrong: "types:\n  Book: {title: \"string | int\"}", right: "types:\n  Book: {title: string}",
        instead: "Write a type as a name, `[User]`, `[string: User]` or `User?`.")

    package static let mixedEnumValues = FindingKind(
        "mixed-enum-values", finds: "An enum with both numbers and texts.",
        why: "The generated enum has one raw type, which is either a number or a text.",
        wrong: "types:\n  Size: {enum: {small: 1, large: big}}",
        right: "types:\n  Size: {enum: {small: \"1\", large: big}}")

    package static let optionalAlias = FindingKind(
        "optional-alias", finds: "An alias of an optional type.",
        why: "A field of this type could be absent, and its declaration would not show it.",
        wrong: "types:\n  Title: {alias: string?}\n  Book: {title: Title}",
        right: "types:\n  Title: {alias: string}\n  Book: {title: Title?}")

    package static let readingMustBeStrict = FindingKind(
        "reading-must-be-strict",
        finds:
            "`lenient: true` at a field that something depends on: a token, an identity, a cursor, a discriminator, a code, the data of an error, or an input of a keyed command.",
        why:
            "A wrong value would become nil, and the client would act on it: a list would end early, or a session would have no user.",
        wrong:
            "types:\n  Page: {items: [string], next: {type: string?, lenient: true}}\nendpoints:\n  listNames: {get: /names, query: {after: string?}, response: Page, paginate: {cursor: after, next: next, items: items}}",
        right:
            "types:\n  Page: {items: [string], next: string?}\nendpoints:\n  listNames: {get: /names, query: {after: string?}, response: Page, paginate: {cursor: after, next: next, items: items}}"
    )

    package static let recursiveTypeWithoutIndirection = FindingKind(
        "recursive-type-without-indirection",
        finds: "A structure that contains itself through required fields, or a union that is one of its own cases.",
        why: "Such a value would have to contain itself without end.",
        wrong: "types:\n  Node: {name: string, next: Node}", right: "types:\n  Node: {name: string, next: Node?}",
        instead: "Or use a list or a map, which may be empty.")

    package static let unionCaseMismatch = FindingKind(
        "union-case-mismatch",
        finds: "A case of a union whose type has other values than the case.",
        why:
            "A union by `kinds` reads a value as the type for its kind. The cases of other unions are told apart by keys, and a text or a list has no keys.",
        wrong: "types:\n  Owner: {union: {kinds: {string: string, object: int}}}",
        right: "types:\n  Owner: {union: {kinds: {string: string, object: Person}}}\n  Person: {name: string}",
        instead: "For null, write `Owner?` in the fields that can be null.")

    package static let unionDiscriminatorClash = FindingKind(
        "union-discriminator-clash",
        finds:
            "A case of a union whose field at the discriminator has another type than the discriminator, or a union as a case without this field.",
        why:
            "The union reads and writes the name of the case in this field, so the field cannot have a value of its own. A union that is a case of another one does not write the discriminator of the other one, so its structures have it as a field.",
        wrong: "types:\n  Shape: {union: {by: kind, cases: {circle: Circle}}}\n  Circle: {kind: int, radius: double}",
        right: "types:\n  Shape: {union: {by: kind, cases: {circle: Circle}}}\n  Circle: {radius: double}")

    package static let unionKeyAmbiguous = FindingKind(
        "union-key-ambiguous",
        finds: "A union by keys with a case whose key is optional, or occurs in another case as well.",
        why: "The client could not tell from the keys which case a value is.",
        wrong:
            "types:\n  Method: {union: {keys: {number: Card, iban: Account}}}\n  Card: {number: string}\n  Account: {iban: string, number: int?}",
        right:
            "types:\n  Method: {union: {keys: {number: Card, iban: Account}}}\n  Card: {number: string}\n  Account: {iban: string, branch: int?}",
        instead: "If one key has a different value in each case, write `by`.")

    package static let unionWithoutDiscriminator = FindingKind(
        "union-without-discriminator", finds: "A union without a key that tells its cases apart.",
        why: "The client would have to try one case after the other, and take the first one that happens to fit.",
        wrong: "types:\n  Shape: {union: {cases: {circle: Circle}}}\n  Circle: {radius: double}",
        right: "types:\n  Shape: {union: {by: kind, cases: {circle: Circle}}}\n  Circle: {radius: double}")

    package static let unknownType = FindingKind(
        "unknown-type", finds: "The name of a type that is not declared.",
        why: "The tool cannot generate code for an unknown type.",
        wrong: "getBook: {get: /book, response: Book}",
        right: "types:\n  Book: {title: string}\nendpoints:\n  getBook: {get: /book, response: Book}")

    package static let unnamedEnumNumber = FindingKind(
        "unnamed-enum-number", finds: "A number in the list of an enum.",
        why: "A case needs a name in Swift, and a number is not a name.",
        wrong: "types:\n  Size: {enum: [1, 2]}", right: "types:\n  Size: {enum: {small: 1, large: 2}}")
}
