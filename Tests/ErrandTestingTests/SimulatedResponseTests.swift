import ErrandJSON
import ErrandRuntime
import EverythingClient
import Foundation
import Testing

@testable import ErrandTesting

/// The clients read the responses that a simulated server makes up as intended.
@Suite struct SimulatedResponseTests {
    static let seeds: [UInt64] = [1, 2]

    @Test(arguments: EveryCommand.types.map(TypeBox.init))
    func everyResponseIsTakenByItsReader(_ box: TypeBox) throws {
        for seed in Self.seeds {
            var book = ResponseCatalog(seed: seed)
            try checkSuccess(box.type, &book)
        }
    }

    private func checkSuccess<C: Command>(_ type: C.Type, _ book: inout ResponseCatalog) throws {
        let answer = try book.success(of: type)
        // Its envelope has the code in the error's place, so that no response is a success.
        if C.endpoint.fullName == "Everything.replaceList" {
            return #expect(!Classifier.isSuccess(answer, C.endpoint))
        }
        let fault = Classifier.fault(in: answer, of: type)
        #expect(
            fault == nil,
            "\(C.endpoint.fullName): \(fault.map { "\($0)" } ?? "") in \(String(decoding: answer.body, as: UTF8.self))")
    }

    /// Some response expresses every error of every table, unless only a failure of the transport leads to it.
    @Test(arguments: EveryCommand.types.map(TypeBox.init))
    func everyErrorIsTakenForItself(_ box: TypeBox) {
        checkErrors(box.type)
    }

    private func checkErrors<C: Command>(_ type: C.Type) {
        var book = ResponseCatalog(seed: 1)
        for description in C.endpoint.service.errors {
            guard book.errors(of: type).contains(description.declaredName) else { continue }
            guard let answer = book.refusal(.error(description.declaredName), of: type) else {
                Issue.record("\(C.endpoint.fullName) cannot be told '\(description.name)'")
                continue
            }
            #expect(Classifier.error(in: answer, of: type) == description.name, "\(C.endpoint.fullName)")
            #expect(
                Classifier.dataFault(in: answer, of: type) == nil,
                "\(C.endpoint.fullName): \(description.name), \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    /// A success has the status that the contract says.
    @Test func theStatusOfASuccessIsThatOfTheContract() throws {
        let endpoint = Everything.PayByHeader.endpoint
        #expect(endpoint.status == 201)
        #expect(SimulatedResponse.success(.object(JSONObject()), endpoint).status == 201)
        #expect(SimulatedResponse.success(.object(JSONObject()), Everything.PayByField.endpoint).status == 200)
    }

    @Test func errorsOfAllKindsAreFound() throws {
        var count = 0
        for type in EveryCommand.types {
            var book = ResponseCatalog(seed: 1)
            count += book.errors(of: type).count
        }
        print("\(EveryCommand.types.count) commands, \(count) errors with an answer")
        #expect(count > 150)
    }

    /// The list of commands is written by hand.
    @Test func noCommandIsForgotten() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var declared = 0
        for folder in ["generated", "Tests/Support/GeneratedFixture/wanted"] {
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                declared += text.components(separatedBy: "static let endpoint = makeEndpoint()").count - 1
            }
        }
        #expect(declared == EveryCommand.types.count)
    }

    struct TypeBox: Sendable, CustomTestStringConvertible {
        let type: any Command.Type
        init(_ type: any Command.Type) { self.type = type }
        var testDescription: String { type.endpoint.fullName }
    }
}
