import ErrandJSON
import Testing

/// One literal with commas is the same as a list of literals.
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

    @Test func joinedIsTheSameAsAList() {
        let list = JSONKeys("id", "fromAccount", "größe", "😀", "a b", "transactionIdentifierOfTheBank", required: 0b1)
        let joined = JSONKeys(joined: "id,fromAccount,größe,😀,a b,transactionIdentifierOfTheBank", required: 0b1)
        let names = ["id", "fromAccount", "größe", "😀", "a b", "transactionIdentifierOfTheBank"]
        for sample in [names, names.reversed(), names + names, ["id", "x", "größ", "😀"], ["😀"], [" id"], []] {
            #expect(indices(joined, sample) == indices(list, sample), "\(sample)")
        }
        #expect(indices(joined, names) == [0, 1, 2, 3, 4, 5])
        #expect(indices(joined, names.reversed()) == [5, 4, 3, 2, 1, 0])
        #expect(fault("{}") { self.load(joined, &$0) }?.code == .missingKey("id"))
    }

    private func load(_ keys: JSONKeys, _ reader: inout JSONReader) -> Int? {
        var fields = reader.beginObject()
        return reader.nextField(keys, &fields)
    }

    @Test func oneNameAndNone() {
        #expect(indices(JSONKeys(joined: "grant", required: 0b1), ["x", "grant", "grant"]) == [0, 0])
        #expect(indices(JSONKeys(joined: "grant", required: 0b1), ["grants"]) == nil)
        #expect(indices(JSONKeys(joined: ""), ["", "x"]) == [])
        #expect(indices(JSONKeys(joined: ",a"), ["a", ""]) == [1, 0])
    }

    @Test func namesOfAllLengthsAtTheEndOfADocument() {
        let keys = JSONKeys(
            joined:
                "a,ab,abc,abcd,abcde,abcdef,abcdefg,abcdefgh,abcdefghi,abcdefghij,abcdefghijk,abcdefghijkl,abcdefghijklm,abcdefghijklmn,abcdefghijklmno"
        )
        for count in 1...15 {
            let name = String("abcdefghijklmno".prefix(count))
            let next = String("abcdefghijklmno".prefix(min(15, count + 1)))
            #expect(indices(keys, [name]) == [count - 1])
            #expect(indices(keys, [name, next]) == [count - 1, min(14, count)])
        }
    }

    @Test func over64() {
        let keys = JSONKeys(
            joined:
                "k0,k1,k2,k3,k4,k5,k6,k7,k8,k9,k10,k11,k12,k13,k14,k15,k16,k17,k18,k19,k20,k21,k22,k23,k24,k25,k26,k27,k28,k29,k30,k31,k32,k33,k34,k35,k36,k37,k38,k39,k40,k41,k42,k43,k44,k45,k46,k47,k48,k49,k50,k51,k52,k53,k54,k55,k56,k57,k58,k59,k60,k61,k62,k63,k64,k65,k66,k67,k68,k69",
            required: 1 << 63, 0b10_0010)
        let names = (0..<70).map { "k\($0)" }
        #expect(indices(keys, names) == Array(0..<70))
        #expect(indices(keys, names.reversed()) == (0..<70).reversed())
        #expect(indices(keys, ["k63", "k65", "k69"]) == [63, 65, 69])
        for missing in ["k63", "k65", "k69"] { #expect(indices(keys, names.filter { $0 != missing }) == nil) }
    }

    @Test func words() throws {
        let tokens = JSONTokens(joined: "active,größe,NOT_FOUND")
        for (index, word) in ["active", "größe", "NOT_FOUND"].enumerated() {
            #expect(try read("\"\(word)\"") { $0.readToken(tokens) } == index)
        }
        #expect(try read(#""activ""#) { $0.readToken(tokens) } == -1)
        #expect(try read("\"\"") { $0.readToken(JSONTokens(joined: "")) } == -1)
        #expect(
            fault(#""no""#) { reader -> Int? in
                if reader.readToken(tokens) < 0 { reader.faultUnknownToken(tokens) }
                return 0
            }?.expectation == "one of active, größe, NOT_FOUND")
    }

    /// The example at `JSON`.
    struct Account: JSONReadable, JSONWritable {
        var id: Int, owner: String

        static let keys = JSONKeys(joined: "id,owner", required: 0b11)

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
