/// The texts of the files that `errand init` writes.
package enum FirstFiles {
    /// The file of `MyBank` is `my-bank.contract.yaml`, from which the build tool generates `MyBank.swift`.
    package static func fileName(of service: String) -> String {
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

    /// The first source of a new package: a program with the first call.
    static func program(service: String) -> String {
        """
        // The first call. It needs a server at http://127.0.0.1:8080/v1.
        @main
        struct \(service)Program {
            static func main() async throws {
                let client = \(service)(.local())
                print(try await client.listItems())
            }
        }

        """
    }

    /// A name that differs from the names of the client's files, which begin with the service's name.
    static func sourceName(_ target: String, besides service: String) -> String {
        let name = target.split(separator: "/").last.map(String.init) ?? target
        // Swift takes a file `main.swift` for the program itself, in which it refuses `@main`.
        let isTaken = name.lowercased() == "main" || name.lowercased().hasPrefix(service.lowercased())
        return isTaken ? name + "Target.swift" : name + ".swift"
    }

    static func contract(service: String) -> String {
        #"""
        # Errand's docs/contract-language.md describes all keys of a contract.
        # `errand lint` checks this file, and so does every build.
        errand: 1
        service: \#(service)
        version: 0.1.0
        stability: draft

        # The client uses the first server unless the app names another one.
        servers:
          production: https://api.example.com/v1
          local: "http://127.0.0.1:{port=8080}/v1"

        # The paths of a response's payload, error, code and message. Without an envelope, the whole body is the payload.
        envelopes:
          standard: {data: data, error: error, code: error.code, message: error.message}

        # The failures of the service. The category decides what the client does: after `retryable` it tries again,
        # `nonRetryable` goes to the screen, and `requiresLogout` starts a login. Outages and timeouts are built in.
        errors:
          unknownItem:
            category: nonRetryable
            when: {status: 404}
            message: There is no such item.

        # The settings of every endpoint without its own value.
        defaults:
          envelope: standard
          timeout: 20s
          deadline: 60s

        types:
          Item:
            id: int
            name: string
            # `?` means that the server may leave out the field.
            note: string?
            addedAt: timestamp

        endpoints:
          listItems:
            doc: Lists the items in pages of twenty.
            get: /items
            query: {page: int = 1}
            response: "[Item]"

          getItem:
            doc: Loads an item.
            get: /items/{id:int}
            response: Item
            errors: [unknownItem]

          addItem:
            doc: Adds an item.
            post: /items
            body: {name: string, note: string?}
            response: Item
            # `keyed` adds an idempotency key, so the client can send the request again after a timeout. `once` never repeats it.
            effect: keyed

        """#
    }

    /// Every key with its meaning, all commented out. A test checks that the list is complete and that each key exists.
    static func configuration(service: String, isForTarget: Bool) -> String {
        let places =
            isForTarget
            ? ""
            : """
            # The contract files, and folders with contracts.
            # contracts: [contracts]
            # The folder for the generated code.
            # output: generated

            """
        return """
            # The settings of Errand. Every key is optional. Remove the `#` before the keys that you want to set.
            \(places)# The access level of the client: public, package or internal. Use internal if only the same target uses the client.
            # access: internal
            # Further protocols of the models: Equatable for SwiftUI and tests, Hashable, Identifiable, Codable. Each costs compile
            # time.
            # conformances: [Equatable]
            # Further modules that every generated file imports, for your own templates.
            # imports: [Foundation]
            # A protocol of the client's methods, \(service).Calls, for handwritten mocks.
            # protocol: true
            # The endpoints to generate, with the types and errors that they need.
            # endpoints: {\(service): [listItems, addItem]}
            # Swift names, for a contract that you cannot change.
            # names: {\(service): {types: {Item: Article}, fields: {Item.addedAt: since}}}
            # A folder with templates that replace built-in ones.
            # templates: templates
            # Files with the texts of errors for translators, which `errand texts` writes and `errand lint` compares.
            # texts: Localizable.xcstrings
            # The folder that `errand docs` writes, and a folder with templates of its pages.
            # docs: {output: site, templates: page-templates}
            # Folders of the same repository whose files contracts may import.
            # allow: [../shared]
            # The largest contract in MiB, and the most endpoints of all contracts.
            # limits: {file-size: 16, endpoints: 100000}
            # The severities of lint rules, and the lowest severity that fails `errand lint` and stops a build.
            # lint: {rules: {unused-type: error}, fail-on: warning}

            """
    }
}
