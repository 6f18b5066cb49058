import Diagnostics
import Testing

@testable import OpenAPI

/// What a PATCH may clear: optional members that may be null, wherever they are in its body.
@Suite struct UpdateTypeTests {
    private static let failure = "404: {description: None}"

    /// An operation with a body.
    private static func operation(
        _ method: String, _ name: String, _ schema: String, as media: String = "application/json", response: String = ""
    ) -> String {
        let success =
            response.isEmpty
            ? "204: {description: ok}" : "200: {description: ok, content: {application/json: {schema: \(response)}}}"
        return
            "/\(name): {\(method): {operationId: \(name), requestBody: {required: true, content: {\(media): {schema: \(schema)}}}, "
            + "responses: {\(success), \(failure)}}}\n"
    }

    private static func reference(_ name: String) -> String { "{$ref: '#/components/schemas/\(name)'}" }

    private static func get(_ name: String) -> String {
        "/get\(name): {get: {operationId: get\(name), responses: {200: {description: ok, content: {application/json: {schema: \(reference(name))}}}, \(failure)}}}\n"
    }

    // MARK: Which types

    @Test func aTypeOfUpdatesAloneIsChangedItself() {
        let document = ImportedDocument(
            paths: Self.operation("patch", "patchOwn", Self.reference("Own"))
                + Self.operation("patch", "patchAgain", Self.reference("Own")),
            components: """
                schemas:
                  Own: {type: object, required: [kept], properties: {kept: {type: [string, 'null']}, bio: {type: [string, 'null']}, n: {type: integer}}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(
            document.block("Own:")
                == "Own:\n  kept: {type: string?, nullable: required}\n  bio: {type: string?, nullable: distinct}\n  n: int?"
        )
        #expect(document.result.typeCount == 1)
        #expect(
            document.block("patchOwn:").contains("body: Own\n") && document.block("patchAgain:").contains("body: Own\n")
        )
    }

    /// What responses and other requests contain is as before.
    @Test(arguments: [
        get("Both"), operation("post", "add", reference("Both")),
        operation("put", "replace", "{type: object, properties: {both: \(reference("Both"))}}"),
        "/a: {get: {operationId: a, responses: {200: {description: ok}, 409: {description: no, content: {application/json: {schema: \(reference("Both"))}}}}}}\n",
        operation(
            "patch", "patchForm", "{type: object, properties: {part: \(reference("Both"))}}", as: "multipart/form-data"),
    ])
    func aTypeWithOtherUsesGetsASecondOne(_ other: String) {
        let document = ImportedDocument(
            paths: other + Self.operation("patch", "patchBoth", Self.reference("Both")),
            components: """
                schemas:
                  Both: {type: object, description: A thing., properties: {bio: {type: [string, 'null']}, n: {type: integer}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("Both:") == "Both:\n  doc: A thing.\n  fields:\n    bio: string?\n    n: int?")
        #expect(
            document.block("BothUpdate:")
                == "BothUpdate:\n  doc: A thing.\n  fields:\n    bio: {type: string?, nullable: distinct}\n    n: int?")
        #expect(document.block("patchBoth:").contains("body: BothUpdate\n"))
        #expect(document.result.typeCount == 2)
    }

    @Test func aBodyWithoutSuchAMemberHasNoSecondType() {
        let document = ImportedDocument(
            paths: Self.get("Plain") + Self.operation("patch", "patchPlain", Self.reference("Plain")),
            components: """
                schemas:
                  Plain: {type: object, required: [a], properties: {a: {type: [string, 'null']}, b: {type: string}, deep: {$ref: '#/components/schemas/Deep'}}}
                  Deep: {type: object, properties: {n: {type: integer}, deep: {$ref: '#/components/schemas/Deep'}}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.result.typeCount == 2)
        #expect(document.block("patchPlain:").contains("body: Plain\n"))
    }

    /// In structures, lists, maps, aliases and unions. What has no such member stays one type.
    @Test func everyLevelIsChanged() {
        let document = ImportedDocument(
            paths: Self.get("Whole") + Self.operation("patch", "patchWhole", Self.reference("Whole"))
                + Self.operation(
                    "patch", "patchInline",
                    "{type: object, properties: {name: {type: [string, 'null']}, rows: {type: array, items: \(Self.reference("Row"))}}}"
                )
                + Self.operation("patch", "patchList", "{type: array, items: \(Self.reference("Row"))}"),
            components: """
                schemas:
                  Whole: {type: object, properties: {part: {type: object, properties: {n: {type: [integer, 'null']}}}, rows: {$ref: '#/components/schemas/Rows'}, shapes: {type: object, additionalProperties: {$ref: '#/components/schemas/Shape'}}, same: {$ref: '#/components/schemas/Same'}}}
                  Rows: {type: array, minItems: 1, description: Some rows., items: {$ref: '#/components/schemas/Row'}}
                  Row: {type: object, properties: {note: {type: [string, 'null']}}}
                  Shape: {oneOf: [{$ref: '#/components/schemas/Ring'}, {$ref: '#/components/schemas/Dot'}], discriminator: {propertyName: kind, mapping: {ring: '#/components/schemas/Ring', dot: '#/components/schemas/Dot'}}}
                  Ring: {type: object, required: [kind], properties: {kind: {type: string}, width: {type: [number, 'null']}}}
                  Dot: {type: object, required: [kind], properties: {kind: {type: string}}}
                  Same: {type: object, properties: {n: {type: integer}}}
                """)
        #expect(document.problems == [], "\(document.contract)")
        #expect(
            document.block("WholeUpdate:")
                == "WholeUpdate:\n  part: WholeUpdatePart?\n  rows: RowsUpdate?\n  shapes: \"[string: ShapeUpdate]?\"\n  same: Same?"
        )
        #expect(document.block("WholeUpdatePart:") == "WholeUpdatePart:\n  n: {type: int?, nullable: distinct}")
        #expect(document.block("RowsUpdate:").contains("[RowUpdate]"), "\(document.contract)")
        #expect(document.block("RowUpdate:") == "RowUpdate:\n  note: {type: string?, nullable: distinct}")
        #expect(document.block("ShapeUpdate:").contains("ring: RingUpdate\n      dot: Dot"), "\(document.contract)")
        #expect(document.block("RingUpdate:").contains("width: {type: double?, nullable: distinct}"))
        #expect(
            document.block("patchInline:").contains(
                "name: {type: string?, nullable: distinct}\n    rows: \"[RowUpdate]?\""))
        #expect(document.block("patchList:").contains("[RowUpdate]"))
        #expect(document.block("Whole:").contains("part: WholePart?\n  rows: Rows?"))
        #expect(document.block("WholePart:") == "WholePart:\n  n: int?")
        #expect(document.result.typeCount == 14)
    }

    @Test func aTypeThatContainsItselfEnds() {
        let document = ImportedDocument(
            paths: Self.get("Node") + Self.operation("patch", "patchNode", Self.reference("Node"))
                + Self.operation("patch", "patchOwn", Self.reference("Own")),
            components: """
                schemas:
                  Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}, leaves: {type: array, items: {$ref: '#/components/schemas/Leaf'}}}}
                  Leaf: {type: object, properties: {node: {$ref: '#/components/schemas/Node'}, note: {type: [string, 'null']}}}
                  Own: {type: object, properties: {own: {oneOf: [{$ref: '#/components/schemas/Own'}, {type: 'null'}]}}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("NodeUpdate:") == "NodeUpdate:\n  next: NodeUpdate?\n  leaves: \"[LeafUpdate]?\"")
        #expect(
            document.block("LeafUpdate:")
                == "LeafUpdate:\n  node: NodeUpdate?\n  note: {type: string?, nullable: distinct}")
        #expect(document.block("Leaf:") == "Leaf:\n  node: Node?\n  note: string?")
        #expect(document.block("Own:") == "Own:\n  own: {type: Own?, nullable: distinct}")
    }

    // MARK: RFC 7396

    /// Null removes any member of an object. A list is replaced as a whole.
    @Test func aMergePatchMayRemoveEveryMember() {
        let document = ImportedDocument(
            paths: Self.get("Thing")
                + Self.operation("patch", "merge", Self.reference("Thing"), as: "application/merge-patch+json")
                + Self.operation(
                    "patch", "mergeMap", "{type: object, additionalProperties: {type: string}}",
                    as: "application/merge-patch+json"),
            components: """
                schemas:
                  Thing: {type: object, required: [id, rows], additionalProperties: {type: string}, properties: {id: {type: integer}, name: {type: string}, part: {$ref: '#/components/schemas/Part'}, rows: {type: array, items: {$ref: '#/components/schemas/Row'}}, labels: {type: object, additionalProperties: {type: string}}, any: {type: object}}}
                  Part: {type: object, properties: {n: {type: integer}}}
                  Row: {type: object, properties: {note: {type: [string, 'null']}, part: {$ref: '#/components/schemas/Part'}}}
                """)
        #expect(document.problems == [], "\(document.contract)")
        #expect(
            document.block("ThingUpdate:") == """
                ThingUpdate:
                  fields:
                    id: int
                    name: {type: string?, nullable: distinct}
                    part: {type: PartUpdate?, nullable: distinct}
                    rows: [Row]
                    labels: {type: "[string: string?]?", nullable: distinct}
                    any: {type: "[string: json]?", nullable: distinct}
                  additionalProperties: string?
                """)
        #expect(document.block("PartUpdate:") == "PartUpdate:\n  n: {type: int?, nullable: distinct}")
        #expect(document.block("Row:") == "Row:\n  note: string?\n  part: Part?")
        #expect(document.block("mergeMap:").contains("[string: string?]"), "\(document.block("mergeMap:"))")
    }

    /// A service with both kinds of PATCH has both kinds of types.
    @Test func bothKindsOfUpdatesHaveTheirTypes() {
        let document = ImportedDocument(
            paths: Self.operation("patch", "plain", Self.reference("Thing"))
                + Self.operation("patch", "merge", Self.reference("Thing"), as: "application/merge-patch+json"),
            components: """
                schemas:
                  Thing: {type: object, properties: {name: {type: string}, rows: {type: array, items: {$ref: '#/components/schemas/Row'}}}}
                  Row: {type: object, properties: {note: {type: [string, 'null']}}}
                """)
        #expect(document.problems == [])
        #expect(document.block("Thing:") == "Thing:\n  name: string?\n  rows: \"[RowUpdate]?\"")
        #expect(
            document.block("ThingUpdate:")
                == "ThingUpdate:\n  name: {type: string?, nullable: distinct}\n  rows: {type: \"[Row]?\", nullable: distinct}"
        )
    }

    // MARK: Names

    @Test func namesAreTheirOwn() {
        let document = ImportedDocument(
            paths: Self.get("User") + Self.get("UserUpdate") + Self.get("Person")
                + Self.operation("post", "addPerson", Self.reference("Person"))
                + Self.operation("patch", "patchUser", Self.reference("User"))
                + Self.operation("patch", "patchPerson", Self.reference("Person")),
            components: """
                schemas:
                  User: {type: object, properties: {bio: {type: [string, 'null']}}}
                  UserUpdate: {type: object, properties: {at: {type: string}}}
                  Person: {type: object, properties: {id: {type: integer, readOnly: true}, bio: {type: [string, 'null']}}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("UserUpdate:") == "UserUpdate:\n  at: string?")
        #expect(document.block("patchUser:").contains("body: UserUpdateBody\n"))
        #expect(document.block("PersonInput:") == "PersonInput:\n  bio: string?")
        #expect(document.block("patchPerson:").contains("body: PersonUpdate\n"))
        #expect(document.block("PersonUpdate:") == "PersonUpdate:\n  bio: {type: string?, nullable: distinct}")
    }

    /// A part that two updates have from copies of a schema is one type, as it is elsewhere.
    @Test func equalTypesStayOne() {
        let part = "part: {type: object, properties: {n: {type: [integer, 'null']}}}"
        let document = ImportedDocument(
            paths: Self.get("One") + Self.get("Other") + Self.operation("patch", "patchOne", Self.reference("One"))
                + Self.operation("patch", "patchOther", Self.reference("Other")),
            components: """
                schemas:
                  One: {type: object, properties: {a: {type: string}, \(part)}}
                  Other: {type: object, properties: {b: {type: string}, \(part)}}
                """)
        #expect(document.problems == [])
        #expect(document.block("Part:") == "Part:\n  n: int?")
        #expect(document.block("UpdatePart:") == "UpdatePart:\n  n: {type: int?, nullable: distinct}")
        #expect(document.block("OneUpdate:") == "OneUpdate:\n  a: string?\n  part: UpdatePart?")
        #expect(document.result.typeCount == 6)
    }

    /// A default belongs to new things, and an update would overwrite with it what the app did not mention.
    @Test func theTypeOfNewThingsKeepsItsDefaults() {
        let document = ImportedDocument(
            paths: Self.operation("post", "add", Self.reference("Thing"))
                + Self.operation("patch", "patchThing", Self.reference("Thing")),
            components: """
                schemas:
                  Thing: {type: object, required: [size], properties: {size: {type: integer, default: 5}, bio: {type: [string, 'null']}}}
                """)
        #expect(document.problems == [] && document.findings == [])
        #expect(document.block("Thing:") == "Thing:\n  size: int = 5\n  bio: string?")
        #expect(
            document.block("ThingUpdate:")
                == "ThingUpdate:\n  size: {type: int, doc: The default is `5`.}\n  bio: {type: string?, nullable: distinct}"
        )
    }

    // MARK: Bounds and updates

    @Test func aContractWithoutRoomSaysSo() {
        let schemas = (0..<20).map {
            "      T\($0): {type: object, properties: {bio: {type: [string, 'null']}, next: \(Self.reference("T\(($0 + 1) % 20)"))}}\n"
        }
        let text =
            "openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\nservers: [{url: https://a.example}]\npaths:\n  "
            + (Self.get("T0") + Self.operation("patch", "patchT", Self.reference("T0"))).replacing("\n", with: "\n  ")
            + "\ncomponents:\n  schemas:\n" + schemas.joined()
        let roomy = ImportedDocument(files: ["api.yaml": text], mostParts: 200)
        #expect(roomy.problems == [] && roomy.findings == [])
        #expect(roomy.result.typeCount == 40)
        let narrow = ImportedDocument(files: ["api.yaml": text], mostParts: 100)
        #expect(narrow.problems == [])
        #expect(narrow.result.typeCount == 20)
        #expect(
            narrow.findings == [
                "openapi-schema-lost: the contract has no room for types with `nullable: distinct`, so a PATCH cannot set a field to null"
            ])
    }

    private static let older = ImportPass.all.filter { $0.name != "updates" }

    /// A contract of an import that knew no such types gets them, also if people have renamed the old one.
    @Test(arguments: [false, true]) func anUpdateAddsThem(_ isRenamed: Bool) throws {
        let text =
            "openapi: 3.1.0\ninfo: {title: Sample, version: 1.0.0}\nservers: [{url: https://a.example}]\npaths:\n  "
            + (Self.get("User") + Self.operation("patch", "patchUser", Self.reference("User"))
            + Self.operation("patch", "patchOwn", Self.reference("Own"))).replacing("\n", with: "\n  ")
                + """

                components:
                  schemas:
                    User: {type: object, properties: {bio: {type: [string, 'null']}, part: {type: object, properties: {n: {type: [integer, 'null']}}}}}
                    Own: {type: object, properties: {bio: {type: [string, 'null']}}}
                """
        let before = ImportedDocument(files: ["api.yaml": text], passes: Self.older).contract
        let after = ImportedDocument(files: ["api.yaml": text]).contract
        #expect(!before.contains("distinct") && after.contains("UserUpdatePart"))
        let own =
            isRenamed ? before.replacing("User:", with: "Person:").replacing(" User\n", with: " Person\n") : before
        let update = try #require(ContractMerge.merged(base: before, own: own, new: after, file: "a.contract.yaml"))
        #expect(update.findings.map(\.message) == [])
        for part in [
            "body: UserUpdate\n",
            "  UserUpdate:\n    bio: {type: string?, nullable: distinct}\n    part: UserUpdatePart?",
            "  UserUpdatePart:\n    n: {type: int?, nullable: distinct}",
            "  Own:\n    bio: {type: string?, nullable: distinct}",
            isRenamed ? "response: Person\n" : "response: User\n",
        ] {
            #expect(update.text.contains(part), "\(part) is not in\n\(update.text)")
        }
        let again = try #require(
            ContractMerge.merged(base: after, own: update.text, new: after, file: "a.contract.yaml"))
        #expect(again.findings.map(\.message) == [] && again.text == update.text)
    }
}
