import ErrandRuntime
import EverythingClient
import Foundation
import Testing

/// Generated models against `Codable` twins: the same values, and the same verdict on what is broken.
@Suite struct DifferentialTests {
    /// A generated model and its twin.
    struct Pair: Sendable, CustomTestStringConvertible {
        let name: String
        /// A random value as `JSONEncoder` writes it.
        let document: @Sendable (inout SeededGenerator) throws -> Data
        /// What differs in the verdict or the value; nil if nothing does.
        let difference: @Sendable (Data) -> Difference?

        var testDescription: String { name }

        init<Model: JSONReadable & JSONWritable & Sendable, Other: Codable & Equatable & Sendable>(
            _ model: Model.Type, _ twin: Other.Type, _ random: @escaping @Sendable (inout SeededGenerator) -> Other
        ) {
            name = "\(model)"
            document = { try JSONEncoder().encode(random(&$0)) }
            difference = { document in
                let twin = try? JSONDecoder().decode(Other.self, from: document)
                let written: [UInt8]
                do throws(JSONError) {
                    let model = try JSON.scan([UInt8](document)) { reader in Model.load(from: &reader) }
                    guard let twin else { return Difference(kind: .onlyHere, detail: "\(model)") }
                    do throws(JSONError) { written = try JSON.bytes { writer in model.write(to: &writer) } } catch {
                        // A date beyond the year 9999 has no text form.
                        return error.code == .notWritable ? nil : Difference(kind: .value, detail: "\(error)")
                    }
                    let again = try? JSONDecoder().decode(Other.self, from: Data(written))
                    return again == twin
                        ? nil : Difference(kind: .value, detail: String(decoding: written, as: UTF8.self))
                } catch {
                    return twin == nil ? nil : Difference(kind: .onlyThere, detail: "\(error)", fault: error)
                }
            }
        }
    }

    static let pairs = [
        Pair(Everything.Item.self, Twin.Item.self) { Twin.Item(&$0) },
        Pair(Everything.Scalars.self, Twin.Scalars.self) { Twin.Scalars(&$0) },
        Pair(Everything.Optionals.self, Twin.Optionals.self) { Twin.Optionals(&$0) },
        Pair(Everything.Defaults.self, Twin.Defaults.self) { Twin.Defaults(&$0) },
        Pair(Everything.Nested.self, Twin.Nested.self) { Twin.Nested(&$0) },
        Pair(Everything.Date.self, Twin.Dated.self) { Twin.Dated(&$0) },
        Pair(Everything.Tree.self, Twin.Tree.self) { Twin.Tree(&$0) },
        Pair(Everything.Shape.self, Twin.Shape.self) { Twin.Shape(&$0) },
    ]

    @Test(arguments: pairs) func randomValuesAreTheSame(_ pair: Pair) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let document = try pair.document(&random)
            if let difference = pair.difference(document) {
                Issue.record("seed \(seed): \(difference) of \(String(decoding: document, as: UTF8.self))")
                return
            }
        }
    }

    @Test(arguments: pairs) func brokenDocumentsHaveTheSameVerdict(_ pair: Pair) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        var met: [KnownDifference: Int] = [:]
        for _ in 0..<2_600 {
            let document = Mutation.make(of: [UInt8](try pair.document(&random)), &random)
            guard let difference = pair.difference(Data(document)) else { continue }
            guard let known = KnownDifference.allCases.first(where: { $0.explains(difference, document) }) else {
                Issue.record(
                    "\(pair.name), seed \(seed): \(difference) of \(String(decoding: document, as: UTF8.self))")
                return
            }
            met[known, default: 0] += 1
        }
        print("\(pair.name), seed \(seed): \(met)")
        // Where every document had an excuse, nothing would have been compared.
        #expect(met.values.reduce(0, +) < 300, "seed \(seed): \(met)")
    }
}
