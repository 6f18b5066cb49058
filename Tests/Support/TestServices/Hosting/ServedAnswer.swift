/// A service's response.
public struct ServedAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// The connection ends in place of a response.
    public var hangsUp = false

    public init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public static let hangUp: ServedAnswer = {
        var answer = ServedAnswer(0)
        answer.hangsUp = true
        return answer
    }()

    public static func json(_ json: WireJSON, status: Int = 200) -> ServedAnswer {
        .text(json.description, contentType: "application/json; charset=utf-8", status: status)
    }

    public static func text(_ text: String, contentType: String = "text/plain", status: Int = 200) -> ServedAnswer {
        ServedAnswer(status, headers: [("Content-Type", contentType)], body: Array(text.utf8))
    }

    public static func bytes(_ bytes: [UInt8], contentType: String) -> ServedAnswer {
        ServedAnswer(200, headers: [("Content-Type", contentType)], body: bytes)
    }
}
