import Foundation

/// The number or text by which a response is matched to its request.
enum RequestID: Hashable, Codable, Sendable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

/// One message of the client. What its method is given is read when it is known which that is.
struct Incoming {
    enum Kind: Equatable {
        case request(RequestID)
        case notification
        /// The response to a request of the server.
        case response
        /// JSON that isn't a message.
        case invalid(RequestID?)
        case malformed
    }

    let kind: Kind
    let method: String?
    private let data: Data

    init(_ bytes: [UInt8]) {
        data = Data(bytes)
        guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
            // An array or a number is JSON all the same.
            let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
            kind = isJSON ? .invalid(nil) : .malformed
            method = nil
            return
        }
        method = head.method
        switch (head.method, head.id) {
        case (_, .unusable): kind = .invalid(nil)
        case (nil, .some(let id)): kind = head.isAnswer ? .response : .invalid(id)
        case (nil, .none): kind = head.isAnswer ? .response : .invalid(nil)
        case (_, .some(let id)): kind = .request(id)
        case (_, .none): kind = .notification
        }
    }

    var id: RequestID? {
        if case .request(let id) = kind { return id }
        return nil
    }

    /// The request that `$/cancelRequest` takes back.
    var cancelledRequest: RequestID? {
        guard method == "$/cancelRequest", kind == .notification else { return nil }
        return try? parameters(CancelParameters.self).id
    }

    /// The method's parameters, as the specification defines them.
    func parameters<Parameters: Decodable>(_ type: Parameters.Type) throws(ResponseError) -> Parameters {
        do {
            return try JSONDecoder().decode(Body<Parameters>.self, from: data).params
        } catch {
            throw ResponseError(.invalidParams, "the parameters of `\(method ?? "")` are not valid")
        }
    }

    private struct Body<Parameters: Decodable>: Decodable {
        var params: Parameters
    }

    private struct CancelParameters: Decodable {
        var id: RequestID
    }

    private struct Head: Decodable {
        enum ID {
            case none
            case some(RequestID)
            case unusable
        }

        var id: ID
        var method: String?
        var isAnswer: Bool

        enum CodingKeys: CodingKey {
            case id, method, result, error
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            method = try container.decodeIfPresent(String.self, forKey: .method)
            isAnswer = container.contains(.result) || container.contains(.error)
            if !container.contains(.id) {
                id = .none
            } else if let known = try? container.decode(RequestID.self, forKey: .id) {
                id = .some(known)
            } else {
                id = isAnswer ? .none : .unusable
            }
        }
    }
}
