import ErrandJSON
import ErrandRuntime
import ErrandXML
import TestSeeds
import Testing

/// What is written is read as the same.
@Suite struct RoundTripTests {
    private static let leaf = XMLShape.object([
        XMLMember("@key", .text), XMLMember("@{urn:other}rank", .number), XMLMember(".", .text),
    ])
    private static let types = XMLTypes([
        XMLMember(
            "Node",
            .object([
                XMLMember("@id", .number), XMLMember("@xml", .bool), XMLMember("name", .text), XMLMember("flag", .bool),
                XMLMember("count", .number), XMLMember("leaf", leaf), XMLMember("{urn:other}leaf", leaf),
                XMLMember("child", .list(.type("Node"))), XMLMember("words/word", .list(.text)),
                XMLMember("scores", .map(.number)), XMLMember("lists", .map(.list(.bool))),
                XMLMember("animal", .type("Animal"), optional: true),
            ])),
        XMLMember(
            "Animal",
            .union(
                by: XMLMember("@kind", .token),
                [
                    "cat": .object([XMLMember("@kind", .token), XMLMember("lives", .number)]),
                    "dog": .object([XMLMember("@kind", .token), XMLMember("tricks", .list(.text))]),
                ])),
    ])

    @Test func randomValuesAreReadAsTheyWereWritten() throws {
        let seed = TestSeeds.SeededGenerator.newSeed()
        var generator = TestSeeds.SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let value = Self.node(&generator, depth: 0)
            let body = XMLBody("{urn:nodes}node", .type("Node"))
            let document = try SystemXML().document(from: Array(value.description.utf8), as: body, Self.types)
            let json = try SystemXML().json(from: document, charset: nil, as: body.shape, Self.types)
            #expect(
                try JSONValue(parsing: json) == value,
                "ERRAND_SEED=\(seed): \(String(decoding: document, as: UTF8.self))")
        }
    }

    private static func node(_ generator: inout TestSeeds.SeededGenerator, depth: Int) -> JSONValue {
        var node: JSONValue = [:]
        func happens() -> Bool { generator.below(2) == 0 }
        if happens() { node["@id"] = .number(JSONNumber(generator.below(1_000) - 500)) }
        if happens() { node["@xml"] = .bool(happens()) }
        node["name"] = .string(text(&generator))
        if happens() { node["flag"] = .bool(happens()) }
        if happens() { node["count"] = generator.below(4) == 0 ? .null : .number(JSONNumber(generator.below(9_999))) }
        for key in ["leaf", "{urn:other}leaf"] where happens() {
            var leaf: JSONValue = ["@key": .string(text(&generator)), ".": .string(text(&generator))]
            if happens() { leaf["@{urn:other}rank"] = 3 }
            node[key] = leaf
        }
        var children: [JSONValue] = []
        if depth < 3 { for _ in 0..<generator.below(3) { children.append(Self.node(&generator, depth: depth + 1)) } }
        node["child"] = .array(children)
        if happens() { node["words/word"] = .array((0..<generator.below(3)).map { _ in .string(text(&generator)) }) }
        if happens() { node["scores"] = ["a": 1, "ärger-2.x": -1.5] }
        if happens() { node["lists"] = ["one": [true], "two": [false, true]] }
        if happens() {
            node["animal"] =
                happens()
                ? ["@kind": "cat", "lives": 9]
                : ["@kind": "dog", "tricks": .array((0..<generator.below(3)).map { .string("t\($0)") })]
        }
        return node
    }

    private static let characters = Array("aZ0 \t\n\r<>&\"'é€😀]]>\u{85}\u{2028}{}@./:-")

    private static func text(_ generator: inout TestSeeds.SeededGenerator) -> String {
        String((0..<generator.below(8)).map { _ in characters[generator.below(characters.count)] })
    }

    @Test func elementsInheritTheNamespaceAroundThem() throws {
        let json =
            #"{"@{http://www.w3.org/XML/1998/namespace}lang":"en","title":"a<b","{urn:x}y":{"@{urn:x}z":1,"{}w":[1,2]}}"#
        #expect(
            try Sample.document(json, element: "{urn:atom}entry") == """
                <entry xmlns="urn:atom" xml:lang="en"><title>a&lt;b</title>\
                <y xmlns="urn:x" xmlns:n1="urn:x" n1:z="1"><w xmlns="">1</w><w xmlns="">2</w></y></entry>
                """)
    }

    @Test(arguments: [
        #"{"a":"\u0001"}"#, #"{"a":"\uffff"}"#, #"{"1":1}"#, #"{"a b":1}"#, #"{"@a":[1]}"#, #"{".":{}}"#,
        #"{"a":[[1]]}"#,
    ])
    func whatXMLCannotExpressIsAFault(_ json: String) {
        #expect(throws: JSONError.self) { try Sample.document(json) }
    }

    @Test func aMapHasNoAttributes() {
        #expect(throws: JSONError.self) { try Sample.document(#"{"@a":1}"#, .map(.number)) }
        #expect(throws: JSONError.self) { try Sample.document("{}", element: "a><b") }
    }
}
