// What recorded traffic has that contracts do not say, and the reverse. `errand.yaml` can set their severities, and a comment in a
// contract can ignore them.
extension FindingKind {
    package static let kindsOfRecordings: [FindingKind] = [
        .toleratedValue, .uncacheableResponse, .undeclaredMember, .undeclaredRequest, .undeclaredResponse,
        .undeclaredStatus, .undecodablePayload, .unfitRequest,
        .unreadableEntry, .unreadableRecording, .unrecordedBody, .unrecordedService, .unseenDeclaration,
    ]

    package static let uncacheableResponse = FindingKind(
        "uncacheable-response", .warning,
        finds: "A recorded success of an endpoint with `cache` that a client cannot use again.",
        why:
            "Its headers forbid that, or say neither how long it is fresh nor which version it is (RFC 9111). Each read loads the whole response, and without a network there is nothing to show.",
        .lines, instead: "Let the server send `Cache-Control: max-age`, `ETag` or `Last-Modified`, or remove `cache`.")

    package static let toleratedValue = FindingKind(
        "tolerated-value", .note,
        finds: "A recorded value that is not what the contract says, and that both sides go on with.",
        why:
            "A client reads a case of an enum that it does not know as unknown, and leaves out what does not fit a lenient field. People then see less than the server has sent.",
        .lines, instead: "Declare the value in the contract.")

    package static let undeclaredMember = FindingKind(
        "undeclared-member", .note,
        finds: "A recorded payload or request with a member or a parameter that the contract does not declare.",
        why: "Clients do not read it. The service may have got a new member, or the contract lacks one from the start.",
        .lines, instead: "Declare the member if clients need it.")

    package static let undeclaredRequest = FindingKind(
        "undeclared-request", .warning,
        finds: "A recorded request to a service that no endpoint of its contract takes.",
        why: "Apps use a part of the service that the contract does not describe.", .lines,
        instead: "Declare the endpoint. The finding has the shape of the path, without its values.")

    package static let undeclaredResponse = FindingKind(
        "undeclared-response",
        finds: "A recorded response that is neither a success nor an error or an outcome of its endpoint.",
        why:
            "Clients take it for a failure without a name (`rejected`, `malformed` or `serverFault`). Apps cannot tell people what happened, and cannot react to it.",
        .lines,
        instead:
            "Declare an error or an outcome with the condition, and list it under the endpoint. For a status of 500 or more, the finding is a note."
    )

    package static let undeclaredStatus = FindingKind(
        "undeclared-status", .warning,
        finds: "A recorded success with another status than the `status` of its endpoint.",
        why:
            "Clients of Errand take any success. The reference pages, the exported document and the mock server say the status of the contract, and clients of others may take no other.",
        .lines,
        instead: "Correct `status`, or declare an outcome if the status has a meaning of its own.")

    package static let undecodablePayload = FindingKind(
        "undecodable-payload", finds: "A recorded payload that a client of the contract cannot read.",
        why: "The command ends as `malformed`, although the server has carried it out. Data of an error is missing.",
        .lines, instead: "Correct the type in the contract, or the server.")

    package static let unfitRequest = FindingKind(
        "unfit-request", finds: "A recorded request that is not what the contract says of its endpoint's input.",
        why:
            "If the server accepts the request, the contract asks for something that the server does not need. If the server refuses it, the finding is a note.",
        .lines, instead: "Correct the contract, or the client that was recorded.")

    package static let unreadableEntry = FindingKind(
        "unreadable-entry", .warning, finds: "An entry of a recording that cannot be judged.",
        why: "It lacks its request or its response, has another form than HAR 1.2 says, or is larger than 64 MiB.",
        .lines, instead: "Record the request again, or remove the entry.")

    package static let unreadableRecording = FindingKind(
        "unreadable-recording", finds: "A recording that is not HAR 1.2, or that ends too early.",
        why: "The rest of the recording was not judged.", .lines, instead: "Export the recording again.")

    package static let unrecordedBody = FindingKind(
        "unrecorded-body", .note, finds: "A recorded response without the body that its meaning depends on.",
        why: "The response may be anything that the endpoint has.", .lines,
        instead: "Record with bodies. Browsers have an export with content, and drop bodies that are large or old.")

    package static let unrecordedService = FindingKind(
        "unrecorded-service", .warning, finds: "A contract without a single request in the recording.",
        why:
            "Nothing was judged. Most likely the service was recorded at another address than its contract has. If another contract has requests, the finding is a note.",
        .lines, instead: "Name the address: `errand replay … --server http://127.0.0.1:8080/v1`.")

    package static let unseenDeclaration = FindingKind(
        "unseen-declaration", .note,
        finds: "An endpoint, an error or an outcome of the contract that the recording does not have.",
        why: "The recording says nothing about it: it may be right, or the service may not have it any more.", .lines,
        instead: "Record it, or remove it from the contract.")
}
