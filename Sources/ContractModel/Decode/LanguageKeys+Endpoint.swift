// The long forms of bodies and responses.
extension LanguageKeys {
    package static let body = MappingDescription(
        "body", "a body in its long form",
        [
            .required("encoding", .words(of: BodyDefinition.Encoding.self), "`json`, `form`, `multipart` or `bytes`"),
            .optional("fields", .fields, "name → field"),
            .optional("type", .type(), "one type, in place of fields"),
            .optional("contentType", .text, "media type of raw bytes, or of the JSON"),
        ],
        rules: [
            .where("encoding", ["bytes"], [.forbidden(["fields", "type"])]).explained(
                conflict: "a body of raw bytes cannot have fields or a type"),
            .where(
                "encoding", ["json", "form", "multipart"],
                [
                    .exactlyOne(["fields", "type"]).explained(
                        add: "write `fields: {name: string}`", remove: "a body has either fields or one type")
                ]),
            .where(
                "encoding", ["form", "multipart"],
                [
                    .forbidden(["contentType"]).explained(
                        conflict: "`contentType` is only valid with `encoding: bytes` and `encoding: json`",
                        remove: "remove `contentType`; a file in a multipart body has its media type at its field")
                ]),
        ])

    package static let response = MappingDescription(
        "response", "a response in its long form",
        [
            .optional("type", .type(), "the payload's type"),
            .optional("fields", .fields, "name → field, in place of a type"),
            .optional("skipInvalid", .flag, "`true`: an invalid element is skipped, and the rest of the list is kept"),
            .optional("single", .flag, "`true`: a single object counts as a list of one element"),
        ],
        rules: [
            .exactlyOne(["type", "fields"]).explained(remove: "a response has either fields or one type"),
            .excludes("fields", ["skipInvalid", "single"]).explained(
                remove: "write it at the field with the list: `{type: [User], skipInvalid: true}`"),
        ])
}
