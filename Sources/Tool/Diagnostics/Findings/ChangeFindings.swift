// What a change of a contract breaks.
extension FindingKind {
    static let kindsOfChanges: [FindingKind] = [
        .behaviorBreak, .changeToReview, .differentServices, .notCompared, .sourceBreak, .wireBreak,
    ]

    /// The kinds of a change's consequences. A project can give them other severities, and accept single ones.
    package static let consequences: [FindingKind] = [.wireBreak, .behaviorBreak, .sourceBreak, .changeToReview]

    package static let behaviorBreak = FindingKind(
        "behavior-break", finds: "A change after which apps and servers do something else than before.",
        why:
            "Both sides still understand each other, so no error shows it: a command is carried out twice, users are logged out, or servers get many retries.",
        .lines,
        instead:
            "Keep the old behavior until no app from before the change is in use, or declare a new endpoint beside the old one."
    )

    package static let changeToReview = FindingKind(
        "change-to-review", .warning, finds: "A change that may break apps in some circumstances.",
        why: "Whether it does depends on what is deployed first, or on the code of an app.", .lines,
        instead: "Read the consequence, and deploy the server and the apps in the order that it needs.")

    package static let differentServices = FindingKind(
        "different-services", finds: "`errand diff` with contracts of two services.",
        why: "Two services have nothing to compare, so every endpoint would be gone and every other one new.", .lines,
        instead: "Name two versions of the same service, or two folders with the contracts of several services.")

    package static let notCompared = FindingKind(
        "not-compared", .warning,
        finds: "A part of two OpenAPI documents that differs, and that contracts do not have.",
        why: "`errand diff` imports documents, and compares the contracts. It cannot tell what this difference breaks.",
        .lines, instead: "Compare both texts, and decide yourself what the difference means for apps.")

    package static let sourceBreak = FindingKind(
        "source-break", finds: "A change after which an app no longer compiles with the generated client.",
        why: "The names or the types of the client's declarations change.", .lines,
        instead: "Keep the Swift name with `swift`, or change the app together with the client.")

    package static let wireBreak = FindingKind(
        "wire-break",
        finds: "A change after which apps and servers of different versions do not understand each other.",
        why: "Apps that people have installed go on to send and to read the old form.", .lines,
        instead:
            "Keep the old form on the server until no app from before the change is in use, or declare a new endpoint beside the old one."
    )
}
