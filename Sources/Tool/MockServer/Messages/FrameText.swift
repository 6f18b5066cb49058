import ContractModel
import JSONTree

/// Reads and writes the frames of a contract's connection.
struct FrameText {
    let connection: ConnectionDefinition

    /// A frame that a client has sent.
    struct Request {
        let kind: String
        /// The id as it is on the wire; nil without one.
        let id: JSONNode?
        /// The payload as JSON; nil without one.
        let payload: JSONNode?
        /// What is odd about the frame.
        var oddities: [String] = []
    }

    /// The longest id that a reply repeats, in bytes.
    private static let longestID = 256

    /// Why a message is not a frame, in words.
    struct Problem: Error { let message: String }

    func request(_ text: [UInt8]) throws(Problem) -> Request {
        let value: JSONNode
        do {
            value = try JSONParser.parse(text)
        } catch {
            throw Problem(message: "the message is not JSON: \(error.message) (after \(error.offset) bytes)")
        }
        guard let members = value.members else {
            throw Problem(message: "a frame is a JSON object, and the message is \(value.kindName)")
        }
        let (kindMember, idMember) = (connection.kindMember, connection.correlationMember)
        guard case .string(let kind)? = value[kindMember] else {
            throw Problem(message: "the frame has no text in `\(kindMember)`, which names its kind")
        }
        var (oddities, id) = ([String](), value[idMember])
        switch id {
        case .number(let text)? where text.utf8.count <= Self.longestID:
            if !connection.hasNumericCorrelation { oddities.append("`\(idMember)` must be a string, and is a number") }
        case .string(let text)? where text.utf8.count <= Self.longestID:
            if connection.hasNumericCorrelation { oddities.append("`\(idMember)` must be a number, and is a string") }
        case nil, .null?: id = nil
        case let other?:
            oddities.append("`\(idMember)` cannot be \(other.kindName) of this length")
            id = nil
        }
        guard let payloadMember = connection.payload?.value else {
            let rest = members.filter { $0.name != kindMember && $0.name != idMember }
            return Request(kind: kind, id: id, payload: .object(rest), oddities: oddities)
        }
        for member in members.prefix(1_000) where ![kindMember, idMember, payloadMember].contains(member.name) {
            oddities.append("`\(ClientText.shown(member.name))` is not a member of a frame")
        }
        return Request(kind: kind, id: id, payload: value[payloadMember], oddities: Array(oddities.prefix(10)))
    }

    /// The text of a frame.
    ///
    /// - Parameter payload: JSON. Without a member for the payload, its members are beside kind and id.
    func message(_ kind: String, id: JSONNode?, payload: JSONNode?) -> [UInt8] {
        node(kind, id: id, payload: payload).bytes
    }

    /// The same as JSON.
    func node(_ kind: String, id: JSONNode?, payload: JSONNode?) -> JSONNode {
        var message = JSONNode.object([.init(connection.kindMember, .string(kind))])
        if let id { message[connection.correlationMember] = id }
        if let payload {
            if let member = connection.payload?.value {
                message[member] = payload
            } else {
                message.merge(payload.members ?? [])
            }
        }
        return message
    }

    /// The id of a frame on a page.
    var sampleID: JSONNode { connection.hasNumericCorrelation ? .number("1") : .string("1") }

    /// The key of a subscription's id.
    static func key(_ id: JSONNode?) -> String { id?.scalarText ?? "" }
}
