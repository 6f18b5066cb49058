extension Framework {
    /// The frameworks in the order in which a document is compared with them.
    static let all = [fastAPI, djangoREST, djangoNinja, litestar, sanic]

    private static let fastAPI = Framework(
        name: "FastAPI", version: "0.165.0",
        facts: [
            .schema("HTTPValidationError", ["detail": "array"], required: []),
            .schema("ValidationError", ["msg": "string", "type": "string"], required: ["loc", "msg", "type"]),
            .response("422", is: "HTTPValidationError"),
        ],
        members: [detail],
        failures: [
            Failure(status: 400, doc: "The body is not UTF-8, or a handler refused the request."),
            Failure(status: 401, doc: "The token is missing, or a handler refused it.", credentials: [.flow]),
            Failure(
                status: 401, doc: "The credentials are missing, or a handler refused them.",
                credentials: [.cookie, .key],
                note: "before FastAPI 0.122.0, 403 may mean that there is no token"),
            Failure(status: 422, doc: "A handler refused the request, and says why in a text."),
        ], nan: nullForNaN)

    private static let djangoREST = Framework(
        name: "Django REST framework", version: "3.18.3",
        facts: [.operationIDs(.action), .successes(["", "No response body"])],
        members: [detail],
        failures: [
            Failure(
                status: 400, content: .faults, doc: "What is wrong with the members of the request, by their names."),
            Failure(status: 400, doc: "The body of the request cannot be read."),
            Failure(status: 401, doc: "The credentials are missing or wrong.", credentials: [.key, .flow]),
            Failure(status: 403, doc: "The user may not do this.", credentials: [.key, .flow]),
            Failure(
                status: 403, doc: "The user may not do this, or the credentials are missing or wrong.",
                credentials: [.cookie],
                note: "403 may mean that there is no token, because the document asks for a cookie first"),
            Failure(status: 429, doc: "There were too many requests."),
        ], nan: "It responds with 500 if a number is NaN, although the command was carried out.")

    private static let djangoNinja = Framework(
        name: "django-ninja", version: "1.7.1",
        facts: [
            .operationIDs(.function), .parameterLists, .successes(["OK", "Created", "Accepted", "No Content"]),
        ],
        members: [detail],
        failures: [
            Failure(status: 400, doc: "The body of the request cannot be read."),
            Failure(status: 401, doc: "The credentials are missing or wrong.", credentials: [.cookie, .key, .flow]),
            Failure(
                status: 422,
                content: .list([
                    Member(wire: "type", type: .word("string")), Member(wire: "loc", type: .list(.word("json"))),
                    Member(wire: "msg", type: .word("string")),
                ]), doc: "What is wrong with the inputs of the request."),
            Failure(status: 422, doc: "A handler refused the request, and says why in a text."),
            Failure(status: 429, doc: "There were too many requests."),
        ], nan: wordForNaN)

    private static let litestar = Framework(
        name: "Litestar", version: "2.25.0",
        facts: [.failure(["status_code", "detail", "extra"], described: " Exception")],
        members: [
            detail, Member(wire: "status_code", type: .word("int")),
            Member(wire: "extra", type: .word("json"), isOptional: true),
        ],
        failures: [
            Failure(status: 401, doc: "The credentials are missing or wrong.", credentials: [.cookie, .key, .flow]),
            Failure(status: 403, doc: "The user may not do this.", credentials: [.cookie, .key, .flow]),
            Failure(status: 429, doc: "There were too many requests."),
        ], nan: nullForNaN)

    private static let sanic = Framework(
        name: "Sanic", version: "25.12.1",
        facts: [.operationIDs(.handler)],
        members: [
            Member(wire: "message", type: .word("string")), Member(wire: "description", type: .word("string")),
            Member(wire: "status", type: .word("int")),
        ],
        failures: [
            Failure(status: 400, doc: "The request is not valid."),
            Failure(status: 401, doc: "The credentials are missing or wrong.", credentials: [.cookie, .key, .flow]),
            Failure(status: 403, doc: "The user may not do this.", credentials: [.cookie, .key, .flow]),
        ], nan: wordForNaN)

    private static let detail = Member(wire: "detail", type: .word("string"))
    private static let nullForNaN =
        "It writes null for a number that is NaN. Then the command was carried out, and its response cannot be read."
    private static let wordForNaN =
        "It writes a number that is NaN as a word, which is not JSON. Then the command was carried out, and its response cannot be read."
}
