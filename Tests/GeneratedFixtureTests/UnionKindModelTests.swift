import ErrandRuntime
import EverythingClient
import Testing

/// Unions by kinds, unions by numbers, and unions inside of unions, read and written.
@Suite struct UnionKindModelTests {
    private func read<Model: JSONReadable>(_ json: String, as type: Model.Type = Model.self) throws -> Model {
        try JSON.scan(Array(json.utf8)) { (reader: inout JSONReader) in Model.load(from: &reader) }
    }

    private func text(_ model: some JSONWritable) throws -> String {
        String(decoding: try JSON.bytes { (writer: inout JSONWriter) in model.write(to: &writer) }, as: UTF8.self)
    }

    /// The name of a union's case.
    private func name(_ union: Any) -> String? { Mirror(reflecting: union).children.first?.label }

    @Test(arguments: [
        (#""o-1""#, "ownerID"), ("7", "integer"), ("7.5", "number"), ("true", "flag"), (#"["o-1",null,[7]]"#, "array"),
        (#"{"address":"a"}"#, "method"),
    ])
    func theKindTellsTheCase(_ json: String, _ wanted: String) throws {
        let owner: Everything.Owner = try read(json)
        #expect(name(owner) == wanted)
        #expect(try text(owner) == json)
    }

    @Test func wholeNumbersAreIntegers() throws {
        guard case .integer(7) = try read("7.0", as: Everything.Owner.self),
            case .number(1e300) = try read("1e300", as: Everything.Owner.self)
        else { return #expect(Bool(false)) }
    }

    @Test func otherKindsAreKept() throws {
        let moment: Everything.Moment = try read("true")
        guard case .unrecognized(.bool(true)) = moment else { return #expect(Bool(false)) }
        #expect(try text(moment) == "true")
        #expect(try text(read(#"[{"a":1},{}]"#, as: Everything.Moment.self)) == #"[{"a":1},{}]"#)
        #expect(try text(read(#""2026-11-21""#, as: Everything.Moment.self)) == #""2026-11-21""#)
    }

    @Test(arguments: ["null", "", "[nul]", #""2026-11""#, "{}", "tru"])
    func whatFitsNoCaseIsAFault(_ json: String) {
        #expect(throws: (any Error).self) { try read(json, as: Everything.Moment.self) }
    }

    @Test func aNumberTellsTheCase() throws {
        let first: Everything.Numbered = try read(#"{"moment":12,"version":1}"#)
        guard case .firstVersion(let version) = first, case .number? = version.moment else {
            return #expect(Bool(false))
        }
        #expect(try text(first) == #"{"version":1,"moment":12}"#)
        #expect(
            try text(read(#"{"version":-2,"owner":"o"}"#, as: Everything.Numbered.self))
                == #"{"version":-2,"owner":"o"}"#)
        let other: Everything.Numbered = try read(#"{"version":9,"a":1}"#)
        guard case .unrecognized("9", _) = other else { return #expect(Bool(false)) }
        #expect(try text(other) == #"{"version":9,"a":1}"#)
        #expect(throws: (any Error).self) { try read(#"{"version":"1"}"#, as: Everything.Numbered.self) }
    }

    @Test(arguments: [
        #"{"kind":"circle","version":3,"radius":0.5}"#, #"{"version":3,"kind":"square","side":2}"#,
        #"{"version":3,"kind":"blob"}"#,
    ])
    func aCaseCanBeAUnion(_ json: String) throws {
        let numbered: Everything.Numbered = try read(json)
        guard case .laterVersion = numbered else { return #expect(Bool(false)) }
        #expect(try text(numbered) == json)
    }

    /// What has no case of its own has one for all others, with or without the key.
    @Test(arguments: [
        (#"{"kind":"tree","height":3}"#, "tree"), (#"{"kind":"moss","name":"m"}"#, "anyPlant"),
        (#"{"name":"m"}"#, "anyPlant"),
        (#"{"name":"m","kind":null}"#, "anyPlant"),
    ])
    func everyOtherObjectHasACase(_ json: String, _ wanted: String) throws {
        let plant: Everything.Plant = try read(json)
        #expect(name(plant) == wanted)
        let written = try text(plant)
        #expect(written == json || json.contains("null"))
        #expect("\(plant)".contains("moss") == false || wanted == "anyPlant")
        guard case .firstRank(let grade) = try read(#"{"level":1,"plant":"# + json + "}", as: Everything.Ranked.self)
        else { return #expect(Bool(false)) }
        #expect(name(grade.plant) == wanted)
    }

    @Test(arguments: [(#"{"level":7,"note":"n"}"#, 7), (#"{"note":"n"}"#, nil), ("{}", nil)])
    func everyOtherNumberHasACase(_ json: String, _ level: Int?) throws {
        guard case .anyRank(let grade) = try read(json, as: Everything.Ranked.self) else {
            return #expect(Bool(false))
        }
        #expect(grade.level == level)
        #expect(try text(Everything.Ranked.anyRank(grade)) == json)
        #expect(throws: (any Error).self) { try read("[1]", as: Everything.Ranked.self) }
        #expect(throws: (any Error).self) { try read(#"{"kind":"tree"}"#, as: Everything.Plant.self) }
    }

    @Test func unrecognizedValuesStayOutOfPrintouts() {
        #expect("\(Everything.Owner.unrecognized(.string("c4nary")))" == "Owner(unrecognized: •••)")
    }
}
