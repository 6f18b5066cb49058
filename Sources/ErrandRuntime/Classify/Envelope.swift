/// How a service wraps its payloads (`envelopes` in the contract).
public struct EnvelopeDescription: Sendable {
    /// Finds the envelope's parts in the body. Printed from the contract.
    public typealias Scan = @Sendable (inout JSONReader, inout EnvelopeParts) -> Void

    /// What tells a success, beside a 2xx status.
    public enum Success: Sendable {
        /// Nothing.
        case status
        /// That there is no error in the envelope.
        case withoutError
        /// That the code is one of these.
        case codes([String])
        /// Both.
        case codesWithoutError([String])
    }

    /// Where the payload is.
    public enum Payload: Sendable {
        /// Where `scan` calls `markData`.
        case marked
        /// It is the whole body.
        case body
    }

    let scan: Scan?
    package let success: Success
    package let payload: Payload
    let list: JSONPath?
    /// Where a list is inside the value that `scan` marks; nil where that is not where lists are.
    let listInData: JSONPath?
    /// Where the parts stand, for who makes an answer; nil where the contract names no paths.
    package let places: Places?

    /// Where an envelope has its parts, as paths of the whole body with dots between the steps.
    package struct Places: Sendable {
        package let data, list, code, error, message: String?
    }

    /// - Parameters:
    ///   - scan: finds the parts in the body.
    ///   - success: what tells a success.
    ///   - payload: `.body` for an envelope that has no `data`.
    ///   - data: where the payload is, as a path of the whole body.
    ///   - list: where the payload is if it is a list, as a path of the whole body: `data.list`.
    ///     Where the value at `data` is an array itself, that one is taken.
    ///   - code, error, message: where these are, as paths of the whole body. `scan` knows; who makes up answers asks.
    public init(
        scan: @escaping Scan, success: Success, payload: Payload = .marked, data: String? = nil,
        list: String? = nil, code: String? = nil, error: String? = nil, message: String? = nil
    ) {
        places = Places(data: data, list: list, code: code, error: error, message: message)
        self.scan = scan
        self.success = success
        self.payload = payload
        self.list = list.map(JSONPath.init(dotted:))
        if let data, let list, list.hasPrefix(data + ".") {
            listInData = JSONPath(dotted: String(list.dropFirst(data.count + 1)))
        } else {
            listInData = nil
        }
    }

    private init() {
        scan = nil
        success = .status
        payload = .body
        list = nil
        listInData = nil
        places = nil
    }

    /// No envelope: the body is the payload, and the status tells a success.
    public static let none = EnvelopeDescription()

    /// Whether an answer is a success.
    func succeeds(status: Int, _ parts: EnvelopeParts) -> Bool {
        (200..<300).contains(status) && saysSuccess(parts)
    }

    /// Whether the envelope, as far as it was read, says that this is a success.
    func saysSuccess(_ parts: EnvelopeParts) -> Bool {
        switch success {
        case .status: return true
        case .withoutError: return !parts.hasError
        case .codes(let codes): return codes.contains(parts.code)
        case .codesWithoutError(let codes): return !parts.hasError && codes.contains(parts.code)
        }
    }
}
