import ErrandJSON
import ErrandRuntime

/// Makes a document that a generated reader accepts, by asking the reader. It starts with `null`, and fixes each fault at the
/// place that the reader reports, until the reader reports none. It needs no schema, and generated code has none at run time.
struct ExampleDocument {
    /// Why no document was found.
    struct NotFound: Error, CustomStringConvertible {
        let fault: JSONError
        let document: JSONValue
        var description: String { "no example found: \(fault), in \(document)" }
    }

    /// Optional members are filled in down to this depth; below, they are absent, so that types which hold themselves
    /// come to an end.
    private static let completeLevels = 4
    /// Far more than the largest model has values.
    private static let maximumSteps = 4_000

    private(set) var value = JSONValue.null
    private var examples: ExampleValues
    /// The number of attempts at each place, so that the next candidate is used if one is rejected.
    private var attempts: [String: Int] = [:]

    private init(seed: UInt64) { examples = ExampleValues(seed: seed) }

    /// A document that a command's response can be read from.
    static func response<C: Command>(of type: C.Type, seed: UInt64) throws(NotFound) -> JSONValue {
        try make(seed: seed) { document in
            fault(in: document) { reader in C.load(from: &reader) }
        }
    }

    /// The declared headers of a command's response, as an object.
    static func headers<C: HeaderCommand>(of type: C.Type, seed: UInt64) throws(NotFound) -> JSONValue {
        try make(seed: seed) { document in
            fault(in: document) { reader in C.Headers.load(from: &reader) }
        }
    }

    /// A document that an element of a stream can be read from.
    static func element<C: StreamCommand>(of type: C.Type, seed: UInt64) throws(NotFound) -> JSONValue {
        try make(seed: seed) { document in
            fault(in: document) { reader in C.element(from: &reader) }
        }
    }

    /// A document in which a check finds no fault.
    ///
    /// - Parameter examine: the fault of a document, with a path that starts at the document's root.
    static func make(seed: UInt64, _ examine: (JSONValue) -> JSONError?) throws(NotFound) -> JSONValue {
        var document = ExampleDocument(seed: seed)
        var last = JSONError(code: .noValue, byteOffset: 0)
        for _ in 0..<maximumSteps {
            guard let fault = examine(document.value) else { return document.value }
            last = fault
            guard document.repair(fault) else { break }
        }
        throw NotFound(fault: last, document: document.value)
    }

    /// The first fault of a reader, or the first of what it left out, which comes first in the document.
    static func fault<Value>(
        in document: JSONValue, complete: Bool = true, _ load: (inout JSONReader) -> Value?
    ) -> JSONError? {
        do throws(JSONError) {
            let result = try JSON.scanReportingSkipped(Array(document.description.utf8)) { reader in
                if complete { reader.completeAbove = JSON.defaultMaximumDepth - completeLevels }
                return load(&reader)
            }
            return result.skipped.faults.first
        } catch {
            return error
        }
    }

    /// Replaces the value at a fault. False if there is nothing left to try.
    private mutating func repair(_ fault: JSONError) -> Bool {
        guard var path = JSONLocation(fault.path) else { return false }
        var place = fault.expectation
        if case .missingKey(let key) = fault.code {
            path.steps.append(.key(key))
            place = "missing"
        }
        place += " " + path.description
        let attempt = attempts[place, default: 0]
        attempts[place] = attempt + 1
        guard let value = examples.value(for: fault, at: path, attempt: attempt) else { return false }
        self.value.put(value, at: path.steps[...])
        return true
    }
}
