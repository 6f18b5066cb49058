/// A response that is a declared error or an outcome, with its data.
public struct ErrorMatch: Sendable {
    /// All that is known about it.
    public let context: FailureContext
    let payload: Payload?
    private let openReceipt: Receipt?
    /// Where it is noted why data did not fit, and what of it was left out.
    let faults: DataFaults?
    /// The data itself, if no server sent it.
    private let given: (any Sendable)?

    /// The name of the built-in error for a command that may or may not have been carried out.
    public static let open: DeclaredName = "unconfirmed"

    init(context: FailureContext, payload: Payload?, faults: DataFaults? = nil) {
        self.context = context
        self.payload = payload
        self.faults = faults
        given = nil
        openReceipt = nil
    }

    /// The match for an error that no server sent, with its data.
    init(context: FailureContext, given: (any Sendable)?) {
        self.context = context
        self.given = given
        payload = nil
        faults = nil
        openReceipt = nil
    }

    /// The match for `open`.
    init(_ receipt: Receipt) {
        context = receipt.context
        payload = nil
        faults = nil
        given = nil
        openReceipt = receipt
    }

    /// The information about a command whose outcome is unknown.
    public var receipt: Receipt { openReceipt ?? Receipt(cause: context) }

    /// The error's data; nil if what the server sent does not fit.
    public func data<Data>(_ load: (inout JSONReader) -> Data?) -> Data? {
        guard let payload else { return given as? Data }
        do throws(JSONError) {
            let (value, skipped) = try payload.scan(load)
            faults?.note(skipped)
            return value
        } catch {
            faults?.note(error)
            return nil
        }
    }

    /// The error's data, of a type that says itself how it is read, together with the context.
    public func details<Data: JSONReadable & Sendable>() -> FailureDetails<Data> { details(Data.load) }

    /// The error's data together with the context.
    public func details<Data: Sendable>(
        _ load: (inout JSONReader) -> Data?
    ) -> FailureDetails<Data> {
        FailureDetails(data: data(load), context: context)
    }
}

extension ErrorMatch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The context alone: the payload is the server's complete response.
    public var description: String { context.description }
    public var debugDescription: String { description }
    public var customMirror: Mirror { context.customMirror }
}

/// Why the data of an error or an outcome could not be read, which costs a client nothing but the data; and what was left out.
final class DataFaults: Sendable {
    private let all = LockedState<[JSONError]> { [] }
    private let left = LockedState<SkippedElements> { SkippedElements() }

    /// The first fault, or the first of what was left out.
    var first: JSONError? { all.withLock { $0.first } ?? skipped.faults.first }
    /// What was left out of data that could be read.
    var skipped: SkippedElements { left.withLock { $0 } }
    func note(_ fault: JSONError) { all.withLock { $0.append(fault) } }
    func note(_ skipped: SkippedElements) { left.withLock { $0 = skipped } }
}
