import ErrandJSON
import Testing

/// Keys and words are found in any order, by exactly their bytes.
@Suite struct KeyTests {
    /// The index of each key in `names`, and whether the document lacks a required one.
    private func indices(_ keys: JSONKeys, _ names: [String]) -> [Int]? {
        let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        return try? read(text) { (reader: inout JSONReader) -> [Int]? in
            var found: [Int] = []
            var fields = reader.beginObject()
            while true {
                let index = reader.nextField(keys, &fields)
                if index < 0 { return reader.isFaulted ? nil : found }
                found.append(index)
                reader.skipValue()
            }
        }
    }

    @Test func keysAreFoundInAnyOrder() {
        let names = ["id", "fromAccount", "größe", "😀", "a b", "transactionIdentifierOfTheBank"]
        let keys = JSONKeys(names, optional: Array(names.dropFirst()))
        let samples = [names, names.reversed(), names + names, ["id", "x", "größ", "😀"], ["😀"], [" id"], []]
        for sample in samples {
            let wanted = sample.contains("id") ? sample.compactMap { names.firstIndex(of: $0) } : nil
            #expect(indices(keys, sample) == wanted, "\(sample)")
        }
        #expect(fault("{}") { self.load(keys, &$0) }?.code == .missingKey("id"))
    }

    private func load(_ keys: JSONKeys, _ reader: inout JSONReader) -> Int? {
        var fields = reader.beginObject()
        return reader.nextField(keys, &fields)
    }

    @Test func oneNameAndNone() {
        #expect(indices(JSONKeys(["grant"]), ["x", "grant", "grant"]) == [0, 0])
        #expect(indices(JSONKeys(["grant"]), ["grants"]) == nil)
        #expect(indices(JSONKeys([]), ["", "x"]) == [])
        #expect(indices(JSONKeys(["", "a"], optional: ["", "a"]), ["a", ""]) == [1, 0])
    }

    @Test func namesOfAllLengthsAtTheEndOfADocument() {
        let names = (1...15).map { String("abcdefghijklmno".prefix($0)) }
        let keys = JSONKeys(names, optional: names)
        for count in 1...15 {
            let name = String("abcdefghijklmno".prefix(count))
            let next = String("abcdefghijklmno".prefix(min(15, count + 1)))
            #expect(indices(keys, [name]) == [count - 1])
            #expect(indices(keys, [name, next]) == [count - 1, min(14, count)])
        }
    }

    @Test func over64() {
        let names = (0..<70).map { "k\($0)" }
        let keys = JSONKeys(names, optional: names.filter { !["k63", "k65", "k69"].contains($0) })
        #expect(indices(keys, names) == Array(0..<70))
        #expect(indices(keys, names.reversed()) == (0..<70).reversed())
        #expect(indices(keys, ["k63", "k65", "k69"]) == [63, 65, 69])
        for missing in ["k63", "k65", "k69"] { #expect(indices(keys, names.filter { $0 != missing }) == nil) }
    }

    @Test func words() throws {
        let tokens = JSONTokens(["active", "größe", "NOT_FOUND"])
        for (index, word) in ["active", "größe", "NOT_FOUND"].enumerated() {
            #expect(try read("\"\(word)\"") { $0.readToken(tokens) } == index)
        }
        #expect(try read(#""activ""#) { $0.readToken(tokens) } == -1)
        #expect(try read("\"\"") { $0.readToken(JSONTokens([])) } == -1)
        #expect(
            fault(#""no""#) { reader -> Int? in
                if reader.readToken(tokens) < 0 { reader.faultUnknownToken(tokens) }
                return 0
            }?.expectation == "one of active, größe, NOT_FOUND")
    }

    /// The example at `JSON`.
    struct Account: JSONReadable, JSONWritable {
        var id: Int, owner: String

        static let keys = JSONKeys(["id", "owner"])

        static func load(from reader: inout JSONReader) -> Account? {
            var id = 0
            var owner = ""
            var fields = reader.beginObject()
            while true {
                switch reader.nextField(keys, &fields) {
                case 0: id = reader.readInt()
                case 1: owner = reader.readString()
                default: return reader.isFaulted ? nil : Account(id: id, owner: owner)
                }
            }
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("id")
            writer.write(id)
            writer.key("owner")
            writer.write(owner)
            writer.endObject()
        }
    }

    @Test func theExampleOfTheDocumentation() throws {
        let accounts = try JSON.scan(
            Array(#"[{"owner": "Ada", "id": 1}, {"id": 2, "owner": "Bob"}]"#.utf8), [Account].load)
        #expect(accounts.map(\.id) == [1, 2] && accounts.map(\.owner) == ["Ada", "Bob"])
        #expect(try JSON.bytes(accounts[0].write) == Array(#"{"id":1,"owner":"Ada"}"#.utf8))
    }
}
