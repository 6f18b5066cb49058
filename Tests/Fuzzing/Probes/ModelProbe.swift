import ErrandJSON
import EverythingClient
import Foundation

@testable import ErrandRuntime

/// Generated models and whole responses over any bytes: no trap, and a value that is read is the same after it is written and
/// read again.
enum ModelProbe {
    private static let sensitive = Everything.service.sensitive

    static func check(_ document: Document) {
        let isJSON = read(document) { $0.skipValue() }.value != nil
        roundTrip(Everything.Item.self, document, isJSON)
        roundTrip(Everything.Date.self, document, isJSON)
        roundTrip(Everything.Scalars.self, document, isJSON)
        roundTrip(Everything.Optionals.self, document, isJSON)
        roundTrip(Everything.Defaults.self, document, isJSON)
        roundTrip(Everything.Nested.self, document, isJSON)
        roundTrip(Everything.Tree.self, document, isJSON)
        roundTrip(Everything.Shape.self, document, isJSON)
        // Of two equal keys, the value of an unknown case keeps the last, which can make the case a known one.
        if read(document, hasDuplicateKey).value == true {
            load(Everything.Method.self, document, isJSON)
        } else {
            roundTrip(Everything.Method.self, document, isJSON)
        }
        roundTrip(Everything.Wide.self, document, isJSON)
        roundTrip(Everything.Locals.self, document, isJSON)
        roundTrip(Everything.Empty.self, document, isJSON)
        load(Everything.Lenient.self, document, isJSON)
        load(Everything.Grant.self, document, isJSON)
        load(Everything.Class.self, document, isJSON)
        load(Everything.Ping.self, document, isJSON)
        checkAnswers([UInt8](document))
    }

    @discardableResult
    private static func load<Model: JSONReadable>(
        _ type: Model.Type, _ document: Document, _ isJSON: Bool
    ) -> Model? {
        let result = read(document, sensitive: sensitive) { reader in
            let model = Model.load(from: &reader)
            hold((model == nil) == reader.isFaulted, "\(type): a model or a fault, never both")
            return model
        }
        if let fault = result.fault {
            hold(!isJSON || !fault.isMalformed, "\(type): JSON is not called malformed: \(fault)")
        } else {
            hold(isJSON, "\(type): no model from what is no JSON")
        }
        return result.value
    }

    private static func roundTrip<Model: JSONReadable & JSONWritable>(
        _ type: Model.Type, _ document: Document, _ isJSON: Bool
    ) {
        guard let model = load(type, document, isJSON) else { return }
        if document.count < 200 { hold(!String(describing: model).isEmpty, "\(type) has words") }
        guard let first = written(model) else { return }
        let again = first.withUnsafeBytes { load(type, $0, true) }
        guard let again else {
            // A union is told apart by the first of two equal keys; its case keeps the last, as all models do.
            let isTwofold = type == Everything.Shape.self && read(document, hasDuplicateKey).value == true
            return hold(isTwofold, "\(type): what was written is read: \(text(first))")
        }
        let second = written(again)
        hold(first == second, "\(type): one form: \(text(first)) \(text(second ?? []))")
    }

    /// The model as JSON; nil for a date without a JSON form.
    private static func written(_ model: some JSONWritable) -> [UInt8]? {
        do throws(JSONError) {
            return try JSON.bytes { writer in model.write(to: &writer) }
        } catch {
            hold(error.code == .notWritable && error.expectation.contains("date"), "\(type(of: model)): \(error)")
            return nil
        }
    }

    private static func hasDuplicateKey(_ reader: inout JSONReader) -> Bool? {
        switch reader.peekKind() {
        case .object:
            var fields = reader.beginObject()
            var keys: Set<String> = []
            var isFound = false
            while let key = reader.nextKey(&fields) {
                if !keys.insert(key).inserted { isFound = true }
                if hasDuplicateKey(&reader) == true { isFound = true }
            }
            return isFound
        case .array: return reader.readArray { hasDuplicateKey(&$0) }.contains(true)
        default:
            reader.skipValue()
            return false
        }
    }

    // MARK: Answers

    /// The bytes as the body of a response: envelope, decision table, payload, failure.
    private static func checkAnswers(_ body: [UInt8]) {
        for status in [200, 422] {
            answer(Everything.GetScalars.self, status, body)
            answer(Everything.SendAll.self, status, body)
            answer(Everything.Upload.self, status, body)
            answer(Everything.Replace.self, status, body)
            answer(Everything.ReplaceList.self, status, body)
            answer(Everything.ReadLenient.self, status, body)
            answer(Everything.List.self, status, body)
        }
    }

    private static func answer<Request: ErrandRuntime.Command>(_ request: Request.Type, _ status: Int, _ body: [UInt8])
    {
        var account = AttemptSummary(service: "Everything", endpoint: Request.endpoint.name, method: .get)
        do throws(ClassifiedError) {
            _ = try Classifier.read(
                TransportResponse(status: status, body: body), Request.endpoint, ResponseRedactor(nil), &account,
                with: CommandReader<Request>())
        } catch {
            let context = FailedAttempt(error, Request.endpoint, account).context(account)
            hold(!context.description.isEmpty && !context.customMirror.children.isEmpty, "a failure has words")
            if let fault = context.decodingError { body.withUnsafeBytes { hold(fault, in: $0) } }
            if case .declared(let row, let payload) = error, case .error(let name) = row.verdict {
                _ = Request.Failure(declared: name, ErrorMatch(context: context, payload: payload))
            }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
