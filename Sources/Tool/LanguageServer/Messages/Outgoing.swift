import Foundation

/// The reason why a request fails (JSON-RPC 2.0, section 5.1, and LSP 3.17, `ErrorCodes`).
struct ResponseError: Error, Encodable, Equatable {
    enum Code: Int, Encodable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        case serverNotInitialized = -32002
        case requestCancelled = -32800
        case requestFailed = -32803
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The bytes of what the server says.
enum Outgoing {
    static func response(_ id: RequestID, _ result: any Encodable) -> [UInt8] {
        bytes(Response(id: id, result: Erased(value: result)))
    }

    /// An error; `id` is `nil` if the request's id couldn't be read.
    static func failure(_ id: RequestID?, _ error: ResponseError) -> [UInt8] { bytes(Failure(id: id, error: error)) }

    static func notification(_ method: String, _ parameters: some Encodable) -> [UInt8] {
        bytes(Call(id: nil, method: method, params: parameters))
    }

    static func request(_ id: RequestID, _ method: String, _ parameters: some Encodable) -> [UInt8] {
        bytes(Call(id: id, method: method, params: parameters))
    }

    private static func bytes(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Messages contain only values that JSON can express: no NaN, and no keys other than texts.
        return (try? encoder.encode(message)).map(Array.init) ?? []
    }

    private struct Erased: Encodable {
        var value: any Encodable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private struct Response: Encodable {
        var jsonrpc = "2.0"
        var id: RequestID
        var result: Erased
    }

    private struct Failure: Encodable {
        var id: RequestID?
        var error: ResponseError

        enum CodingKeys: CodingKey {
            case jsonrpc, id, error
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("2.0", forKey: .jsonrpc)
            try container.encode(id, forKey: .id)  // `null` if it is unknown
            try container.encode(error, forKey: .error)
        }
    }

    private struct Call<Parameters: Encodable>: Encodable {
        var jsonrpc = "2.0"
        var id: RequestID?
        var method: String
        var params: Parameters
    }
}
