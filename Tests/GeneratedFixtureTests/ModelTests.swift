import ErrandRuntime
import EverythingClient
import Testing

/// The generated models of everything, read and written.
@Suite struct ModelTests {
    private func read<Model: JSONReadable>(_ json: String, as type: Model.Type = Model.self) throws -> Model {
        try JSON.scan(Array(json.utf8)) { (reader: inout JSONReader) in Model.load(from: &reader) }
    }

    private func text(_ model: some JSONWritable) throws -> String {
        String(decoding: try JSON.bytes { (writer: inout JSONWriter) in model.write(to: &writer) }, as: UTF8.self)
    }

    private func roundTrip<Model: JSONReadable & JSONWritable>(_ json: String, as type: Model.Type) throws {
        #expect(try text(read(json, as: type)) == json)
    }

    @Test func everyPrimitiveKeepsItsForm() throws {
        try roundTrip(
            """
            {"string":"s","bool":true,"int":-1,"int32":2,"int64":3,"uint":4,"double":1.5,"float":2.5,"decimal":0.10,\
            "timestamp":"2026-11-21T02:57:01Z","unix":1700000000,"milliseconds":1700000000123,"date":"2026-11-21",\
            "uuid":"11111111-2222-3333-4444-555555555555","url":"https://a.example/b","bytes":"AQID","json":{"a":[1,null]},\
            "grade":-3,"mode":"slow","size":2}
            """.replacing("0.10", with: "0.1"), as: Everything.Scalars.self)
    }

    @Test func everyPrimitiveMayBeNull() throws {
        let json = """
            {"bool":false,"int32":2,"int64":3,"uint":4,"double":1.5,"float":2.5,"decimal":0.1,"timestamp":"2026-11-21T02:57:01Z",\
            "milliseconds":1700000000123,"date":"2026-11-21","uuid":"11111111-2222-3333-4444-555555555555","mode":"fast","grade":9,\
            "strings":["a",""]}
            """
        try roundTrip(json, as: Everything.Maybes.self)
        #expect(try text(read("{}", as: Everything.Maybes.self)) == "{}")
        let keys = [
            "bool", "int32", "int64", "uint", "double", "float", "decimal", "timestamp", "milliseconds", "date", "uuid",
            "mode", "grade", "strings",
        ]
        // A null means no value, even if a value came before it: the last of two equal keys counts.
        let nulls = keys.map { "\"\($0)\":null" }.joined(separator: ",")
        #expect(try text(read("{\(nulls)}", as: Everything.Maybes.self)) == "{}")
        #expect(try text(read("\(json.dropLast()),\(nulls)}", as: Everything.Maybes.self)) == "{}")
        for key in keys {
            #expect(throws: JSONError.self, "\(key)") { try self.read("{\"\(key)\":{}}", as: Everything.Maybes.self) }
        }
    }

    @Test func namesMayHoldTheCommaThatSeparatesThem() throws {
        try roundTrip(#"{"a,b":1,"c":"s","kind":"x,y"}"#, as: Everything.Comma.self)
        #expect(throws: JSONError.self) {
            try self.read(#"{"a":1,"b":1,"c":"s","kind":"z"}"#, as: Everything.Comma.self)
        }
        #expect(try read("\"x\"", as: Everything.CommaKind.self) == .unrecognized("x"))
    }

    @Test func nestedListsAndMapsKeepTheirForm() throws {
        try roundTrip(
            """
            {"lists":[[1],[],[2,3]],"maps":{"a":{"b":"2026-11-21T02:57:01Z"}},"optionals":[1,null],"dates":[0,1],\
            "optionalDates":[null,"2026-11-21T02:57:01Z"],"bytes":["AQ=="],"levels":["low","odd"],"grades":{"a":1,"b":null,"c":9},\
            "items":[{"id":1,"na\\"me":"n","level":"high"}],"values":[null,{"a":1}]}
            """, as: Everything.Nested.self)
    }

    @Test func absentNullAndValueAreThreeThings() throws {
        let absent: Everything.Optionals = try read("{}")
        #expect(absent.changed == .absent && absent.string == nil)
        let null: Everything.Optionals = try read(#"{"changed":null,"changedAt":null,"string":null}"#)
        #expect(null.changed == .null && null.changedAt == .null)
        #expect(try text(null) == #"{"changed":null,"changedAt":null}"#)
        let value: Everything.Optionals = try read(#"{"changed":"x","changedItem":{"id":1,"na\"me":"n"}}"#)
        #expect(value.changed == .value("x"))
        #expect(value.changedItem.value?.id == 1)
    }

    @Test func defaultsStandForAbsentAndNull() throws {
        for json in ["{}", #"{"string":null,"bool":null,"list":null,"level":null}"#] {
            let model: Everything.Defaults = try read(json)
            #expect(model.string == "a \"b\" \\(c) \n ü")
            #expect(model.bool && model.int == -5 && model.double == 2.5 && "\(model.decimal)" == "-0.3")
            #expect(model.level == Everything.Level.none && model.list.isEmpty && model.map.isEmpty)
        }
        #expect(Everything.Defaults().int == -5)
    }

    @Test func lenientFieldsTakeOtherSpellings() throws {
        let model: Everything.Lenient = try read(
            """
            {"int":"7","bool":1,"text":"","unix":"12","numbers":["1",2],"items":[{"id":"bad"},{"id":1,"na\\"me":"n"}],\
            "single":{"id":2,"na\\"me":"m"},"either":{"id":"bad"},"url":""}
            """)
        #expect(model.int == 7 && model.bool && model.text == nil && model.numbers == [1, 2] && model.url == nil)
        #expect(model.items.map(\.id) == [1] && model.single.map(\.id) == [2] && model.either.isEmpty)
    }

    /// What does not fit is nil or empty, and reported with its place. The rest of a list is kept.
    @Test func aWrongValueMayBeNoFailure() throws {
        let whole = """
            {"count":1,"text":"a","mode":"slow","item":{"id":1,"na\\"me":"n"},"stated":"2026-11-21","names":["b"],"times":[7],\
            "items":[{"id":2,"na\\"me":"m"}],"either":[],"map":{"c":3},"kept":{"d":4},"strict":5}
            """
        let fine: Everything.Lax = try read(whole)
        #expect(fine.count == 1 && fine.mode == .slow && fine.item?.id == 1 && fine.items?.map(\.id) == [2])
        let (model, skipped) = try JSON.scanReportingSkipped(
            Array(
                """
                {"count":"many","text":[1],"mode":"none","item":{"id":"bad"},"stated":7,"names":["b",2],"times":["7","x"],\
                "items":{},"either":7,"map":[],"kept":{"d":4,"e":"f"}}
                """.utf8)
        ) { (reader: inout JSONReader) in Everything.Lax.load(from: &reader) }
        #expect(model.count == nil && model.text == nil && model.mode == nil && model.item == nil)
        #expect(model.stated == nil && model.items == nil && model.strict == nil)
        #expect(model.names == ["b"] && model.either.isEmpty && model.map.isEmpty && model.kept == ["d": 4])
        #expect(model.times.count == 1)
        #expect(
            skipped.faults.map(\.path) == [
                "$.count", "$.text", "$.mode", "$.item.id", "$.stated", "$.names[1]", "$.times[1]", "$.items",
                "$.either",
                "$.map", "$.kept.e",
            ])
        #expect(skipped.count == 11)
        // A list that is null is wrong, and one that is missing breaks the contract.
        let null: Everything.Lax = try read(
            #"{"stated":null,"names":null,"times":[],"either":[],"map":null,"kept":{},"item":null}"#)
        #expect(null.names.isEmpty && null.map.isEmpty)
        for broken in [#"{"stated":null,"times":[],"either":[],"kept":{}}"#, #"{"count":x}"#, #"{"strict":"x"}"#] {
            #expect(throws: JSONError.self) { try self.read(broken, as: Everything.Lax.self) }
        }
    }

    @Test func unknownWordsAreKeptAndClosedOnesRefused() throws {
        #expect(Everything.Level(rawValue: "say \"hi\"\\(x)") == .sayHiX)
        #expect(try read("\"new\"", as: Everything.Level.self) == .unrecognized("new"))
        #expect(try read("9", as: Everything.Grade.self) == .unrecognized(9))
        #expect(throws: JSONError.self) { try self.read("\"new\"", as: Everything.Mode.self) }
        #expect(throws: JSONError.self) { try self.read("9", as: Everything.Size.self) }
        #expect(try text(Everything.Level.u1F600) == "\"😀\"")
    }

    @Test func unionsAreToldApartWhereverTheKindStands() throws {
        let shape: Everything.Shape = try read(#"{"radius":1.5,"kind":"circle"}"#)
        guard case .circle(let circle) = shape else { return #expect(Bool(false)) }
        #expect(circle.radius == 1.5)
        #expect(try text(shape) == #"{"kind":"circle","radius":1.5}"#)
        try roundTrip(
            #"{"kind":"many-sided","shapes":[{"kind":"square","side":2}],"main":{"kind":"circle","radius":1}}"#,
            as: Everything.Shape.self)
        let other: Everything.Shape = try read(#"{"kind":"blob","x":[1]}"#)
        guard case .unrecognized("blob", _) = other else { return #expect(Bool(false)) }
        #expect(try text(other) == #"{"kind":"blob","x":[1]}"#)
    }

    @Test func recursiveStructuresKeepValueSemantics() throws {
        let json =
            #"{"value":1,"left":{"value":2,"self":"b","children":[]},"self":"a","children":[{"value":3,"self":"c","children":[]}]}"#
        var tree: Everything.Tree = try read(json)
        let copy = tree
        tree.left?.value = 9
        #expect(tree.left?.value == 9 && copy.left?.value == 2)
        #expect(try text(copy) == json)
    }

    @Test func moreThan64KeysAreRead() throws {
        let keys = (1...70).map { "\"field\($0)\":" + ($0 % 7 == 0 ? "\"s\"" : "\($0)") }
        let wide: Everything.Wide = try read("{\(keys.joined(separator: ","))}")
        #expect(wide.field1 == 1 && wide.field69 == 69 && wide.field70 == "s")
        // On either side of the 64th.
        for (index, key) in keys.enumerated() {
            let rest = "{\((keys[..<index] + keys[(index + 1)...]).joined(separator: ","))}"
            if (index + 1) % 7 == 0 {
                #expect(try read(rest, as: Everything.Wide.self).field1 == 1, "\(key)")
            } else {
                let fault = #expect(throws: JSONError.self, "\(key)") { try self.read(rest, as: Everything.Wide.self) }
                #expect(fault?.code == .missingKey("field\(index + 1)"))
            }
        }
    }

    @Test func sensitiveFieldsAreNeverPrinted() throws {
        let item = Everything.Item(id: 1, name: "canary", level: .low)
        var dumped = ""
        dump([item], to: &dumped)
        for printed in ["\(item)", String(reflecting: item), "\([item])", dumped] {
            #expect(!printed.contains("canary"))
            #expect(printed.contains("•••"))
        }
        #expect(!"\(Everything.LogIn(user: "u", password: "canary", since: []))".contains("canary"))
    }

    @Test func namesOfTheReaderItselfMayBeFields() throws {
        let model: Everything.Locals = try read(
            #"{"reader":1,"fields":"f","keys":["k"],"writer":true,"loop":"11111111-2222-3333-4444-555555555555"}"#)
        #expect(model.reader == 1 && model.fields == "f" && model.keys == ["k"] && model.value == nil && model.writer)
    }

    /// A box that breaks a ring of structures is not printed.
    @Test func aRecursiveModelPrintsNoBoxes() throws {
        let tree: Everything.Tree = try read(
            #"{"value":1,"left":{"value":2,"self":"a","children":[]},"self":"b","children":[]}"#)
        var dumped = ""
        dump(tree, to: &dumped)
        for text in ["\(tree)", String(reflecting: tree), dumped] {
            #expect(text.contains("left") && text.contains("value"))
            #expect(!text.contains("_left") && !text.contains("holding") && !text.contains("Box"))
        }
    }
}
