/// The texts of the files that `errand init` writes.
enum FirstFiles {
    /// `MyBank` is in `my-bank.contract.yaml`, from which the build tool makes `MyBank.swift`.
    static func fileName(of service: String) -> String {
        var name = ""
        var isBehindSmall = false
        for character in service {
            if character.isUppercase, isBehindSmall { name += "-" }
            name += character == "_" ? "-" : character.lowercased()
            isBehindSmall = character.isLowercase || character.isNumber
        }
        return name + ".contract.yaml"
    }

    /// The first source of a target without sources.
    static let source =
        "// SwiftPM ignores a target without source files, and Errand generates the client only during the build.\n"

    /// A name that no file of the client has, which begins with the service's.
    static func sourceName(_ target: String, besides service: String) -> String {
        let name = target.split(separator: "/").last.map(String.init) ?? target
        return name.lowercased().hasPrefix(service.lowercased()) ? name + "Target.swift" : name + ".swift"
    }

    static func contract(service: String) -> String {
        #"""
        # What can be said in a contract: docs/contract-language.md of Errand.
        # Whether it is sound and sensible: `errand lint`, which any build does as well.
        errand: 1
        service: \#(service)
        version: 0.1.0
        stability: draft

        # The first is where the client goes when it is not told otherwise.
        servers:
          production: https://api.example.com/v1
          local: "http://127.0.0.1:{port=8080}/v1"

        # Where a response has its payload, and where it says what went wrong. Without `envelope` the whole body is the payload.
        envelopes:
          standard: {data: data, error: error, code: error.code, message: error.message}

        # What the server can answer beside what was asked for. The category says what is done about it: `retryable` is tried
        # again, `nonRetryable` goes to the screen, `requiresLogout` begins a login. Outages, timeouts and the like are built in.
        errors:
          unknownItem:
            category: nonRetryable
            when: {status: 404}
            message: There is no such item.

        # What holds for every endpoint that does not say otherwise.
        defaults:
          envelope: standard
          timeout: 20s
          deadline: 60s

        types:
          Item:
            id: int
            name: string
            # `?`: the server may leave it out.
            note: string?
            addedAt: timestamp

        endpoints:
          listItems:
            doc: The items, a page of twenty at a time.
            get: /items
            query: {page: int = 1}
            response: "[Item]"

          getItem:
            doc: One item.
            get: /items/{id:int}
            response: Item
            errors: [unknownItem]

          addItem:
            doc: Adds an item.
            post: /items
            body: {name: string, note: string?}
            response: Item
            # May it be sent again after a timeout? `keyed` sends a key with it, by which the server knows it; `once` never is.
            effect: keyed

        """#
    }

    /// Every key with what it means, none of them said; a test holds that none is missing and that each is one.
    static func configuration(service: String, isForTarget: Bool) -> String {
        let places =
            isForTarget
            ? ""
            : """
            # Contract files, and folders with contracts.
            # contracts: [contracts]
            # The folder that generated code is written into.
            # output: generated

            """
        return """
            # What is generated, and how. Every key is optional; take away the `#` before those that you want to say.
            \(places)# Who may use the client: public, package or internal. Internal is for a client that its own target uses.
            # access: internal
            # What models conform to beside what they need: Equatable, Hashable, Identifiable, Codable. Each costs compile time.
            # conformances: [Hashable]
            # Modules that every generated file imports beside those that it needs, for templates of your own.
            # imports: [Foundation]
            # A protocol of the client's methods, \(service).Calls, for those who mock by hand.
            # protocol: true
            # These endpoints only, with the types and errors that they need.
            # endpoints: {\(service): [listItems, addItem]}
            # What things are called in Swift, where the contract may not be changed.
            # names: {\(service): {types: {Item: Article}, fields: {Item.addedAt: since}}}
            # A folder with templates that take the place of built-in ones.
            # templates: templates
            # How much rules weigh, and the least severity that fails `errand lint` and stops a build.
            # lint: {rules: {unused-type: error}, fail-on: warning}

            """
    }
}
