import ErrandJSON
import Foundation

// What the emitter prints for these types of a contract, line for line:
//
//     Account:
//       id: int
//       owner: {type: string, sensitive: true}
//       balance: decimal
//       status: AccountStatus
//       openedAt: timestamp
//       nickname: string?
//       limits: {type: [Limit], skipInvalid: true}
//       address: Address
//     AccountStatus: {enum: [active, frozen, closed]}
//     Currency: {enum: [chf, eur], closed: true}
//     Limit: {amount: decimal, currency: Currency}
//     Address: {union: {by: kind, cases: {street: Street, box: Box}}}

enum Bank {
    struct Account: Swift.Sendable, JSONReadable, JSONWritable {
        var id: Swift.Int
        var owner: Swift.String
        var balance: Foundation.Decimal
        var status: AccountStatus
        var openedAt: Foundation.Date
        var nickname: Swift.String?
        var limits: [Limit]
        var address: Address

        static let keys = JSONKeys(
            ["id", "owner", "balance", "status", "openedAt", "nickname", "limits", "address"], optional: ["nickname"])

        static func load(from reader: inout JSONReader) -> Account? {
            var id = 0
            var owner = ""
            var balance = Foundation.Decimal()
            var status: AccountStatus?
            var openedAt = Foundation.Date(timeIntervalSinceReferenceDate: 0)
            var nickname: Swift.String?
            var limits: [Limit] = []
            var address: Address?
            var fields = reader.beginObject()
            field: while true {
                switch reader.nextField(keys, &fields) {
                case 0: id = reader.readInt()
                case 1: owner = reader.readString()
                case 2: balance = reader.readDecimal()
                case 3: status = AccountStatus.load(from: &reader)
                case 4: openedAt = reader.readTimestamp()
                case 5: nickname = reader.readNull() ? nil : reader.readString()
                case 6: limits = reader.readArraySkippingInvalid(Limit.load)
                case 7: address = Address.load(from: &reader)
                default: break field
                }
            }
            if reader.isFaulted { return nil }
            guard let status, let address else { return nil }
            return Account(
                id: id, owner: owner, balance: balance, status: status, openedAt: openedAt,
                nickname: nickname, limits: limits, address: address)
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("id")
            writer.write(id)
            writer.key("owner")
            writer.write(owner)
            writer.key("balance")
            writer.write(balance)
            writer.key("status")
            status.write(to: &writer)
            writer.key("openedAt")
            writer.writeTimestamp(openedAt)
            if let nickname {
                writer.key("nickname")
                writer.write(nickname)
            }
            writer.key("limits")
            writer.writeArray(limits) { $0.write(to: &$1) }
            writer.key("address")
            address.write(to: &writer)
            writer.endObject()
        }
    }

    /// Open: an unknown word is kept.
    enum AccountStatus: Swift.Sendable, Swift.Equatable, JSONReadable, JSONWritable {
        case active
        case frozen
        case closed
        case unrecognized(Swift.String)

        static let tokens = JSONTokens(["active", "frozen", "closed"])

        static func load(from reader: inout JSONReader) -> AccountStatus? {
            switch reader.readToken(tokens) {
            case 0: .active
            case 1: .frozen
            case 2: .closed
            default: reader.isFaulted ? nil : .unrecognized(reader.takeToken())
            }
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .active: writer.write("active")
            case .frozen: writer.write("frozen")
            case .closed: writer.write("closed")
            case .unrecognized(let word): writer.write(word)
            }
        }
    }

    /// Closed: an unknown word is a fault.
    enum Currency: Swift.Sendable, JSONReadable, JSONWritable {
        case chf
        case eur

        static let tokens = JSONTokens(["chf", "eur"])

        static func load(from reader: inout JSONReader) -> Currency? {
            switch reader.readToken(tokens) {
            case 0: return .chf
            case 1: return .eur
            default:
                reader.faultUnknownToken(tokens)
                return nil
            }
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .chf: writer.write("chf")
            case .eur: writer.write("eur")
            }
        }
    }

    struct Limit: Swift.Sendable, JSONReadable, JSONWritable {
        var amount: Foundation.Decimal
        var currency: Currency

        static let keys = JSONKeys(["amount", "currency"])

        static func load(from reader: inout JSONReader) -> Limit? {
            var amount = Foundation.Decimal()
            var currency: Currency?
            var fields = reader.beginObject()
            field: while true {
                switch reader.nextField(keys, &fields) {
                case 0: amount = reader.readDecimal()
                case 1: currency = Currency.load(from: &reader)
                default: break field
                }
            }
            if reader.isFaulted { return nil }
            guard let currency else { return nil }
            return Limit(amount: amount, currency: currency)
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("amount")
            writer.write(amount)
            writer.key("currency")
            currency.write(to: &writer)
            writer.endObject()
        }
    }

    /// A union, told apart by `kind` in any position.
    enum Address: Swift.Sendable, JSONReadable, JSONWritable {
        case street(Street)
        case box(Box)
        case unrecognized(Swift.String, JSONValue)

        static let tokens = JSONTokens(["street", "box"])

        static func load(from reader: inout JSONReader) -> Address? {
            switch reader.peekToken(at: "kind", tokens) {
            case 0: return Street.load(from: &reader).map(Address.street)
            case 1: return Box.load(from: &reader).map(Address.box)
            default:
                if reader.isFaulted { return nil }
                let word = reader.takeToken()
                let value = reader.readValue()
                return reader.isFaulted ? nil : .unrecognized(word, value)
            }
        }

        func write(to writer: inout JSONWriter) {
            switch self {
            case .street(let value): value.write(to: &writer)
            case .box(let value): value.write(to: &writer)
            case .unrecognized(_, let value): writer.write(value)
            }
        }
    }

    struct Street: Swift.Sendable, JSONReadable, JSONWritable {
        var name: Swift.String

        static let keys = JSONKeys(["name"])

        static func load(from reader: inout JSONReader) -> Street? {
            var name = ""
            var fields = reader.beginObject()
            field: while true {
                switch reader.nextField(keys, &fields) {
                case 0: name = reader.readString()
                default: break field
                }
            }
            if reader.isFaulted { return nil }
            return Street(name: name)
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("kind")
            writer.write("street")
            writer.key("name")
            writer.write(name)
            writer.endObject()
        }
    }

    struct Box: Swift.Sendable, JSONReadable, JSONWritable {
        var number: Swift.Int

        static let keys = JSONKeys(["number"])

        static func load(from reader: inout JSONReader) -> Box? {
            var number = 0
            var fields = reader.beginObject()
            field: while true {
                switch reader.nextField(keys, &fields) {
                case 0: number = reader.readInt()
                default: break field
                }
            }
            if reader.isFaulted { return nil }
            return Box(number: number)
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.key("kind")
            writer.write("box")
            writer.key("number")
            writer.write(number)
            writer.endObject()
        }
    }
}
