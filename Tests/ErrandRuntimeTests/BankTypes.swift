import Foundation

extension Bank {
    public struct Account: JSONReadable, Sendable, Redacted {
        public var id: Int
        public var owner: String
        public var balance: Decimal
        public var status: AccountStatus
        public var openedAt: Date
        public var nickname: String?
        public init(
            id: Int, owner: String, balance: Decimal, status: AccountStatus, openedAt: Date,
            nickname: String? = nil
        ) {
            self.id = id
            self.owner = owner
            self.balance = balance
            self.status = status
            self.openedAt = openedAt
            self.nickname = nickname
        }
        static let keys = JSONKeys(
            "id", "owner", "balance", "status", "openedAt", "nickname", required: 0b011111)
        public static func load(from reader: inout JSONReader) -> Self? {
            var id = 0
            var owner = ""
            var balance = Decimal()
            var openedAt = Date.distantPast
            var nickname: String?
            var status: Bank.AccountStatus?
            var fields = reader.beginObject()
            loop: while true {
                switch reader.nextField(keys, &fields) {
                case 0: id = reader.readInt()
                case 1: owner = reader.readString()
                case 2: balance = reader.readDecimal()
                case 3: status = Bank.AccountStatus.load(from: &reader)
                case 4: openedAt = reader.readTimestamp()
                case 5: nickname = reader.readNull() ? nil : reader.readString()
                default: break loop
                }
            }
            guard !reader.isFaulted, let status else { return nil }
            return Self(
                id: id, owner: owner, balance: balance, status: status, openedAt: openedAt,
                nickname: nickname)
        }
        public var customMirror: Mirror {
            Mirror(
                self,
                children: [
                    "id": id, "owner": Redaction.mark, "balance": balance, "status": status,
                    "openedAt": openedAt, "nickname": nickname as Any,
                ])
        }
    }
    public enum AccountStatus: JSONReadable, Sendable, Hashable {
        case active, frozen, closed
        case unrecognized(String)
        public var rawValue: String {
            switch self {
            case .active: return "active"
            case .frozen: return "frozen"
            case .closed: return "closed"
            case .unrecognized(let text): return text
            }
        }
        static let tokens = JSONTokens(["active", "frozen", "closed"])
        public static func load(from reader: inout JSONReader) -> Self? {
            switch reader.readToken(tokens) {
            case 0: return .active
            case 1: return .frozen
            case 2: return .closed
            default: return reader.isFaulted ? nil : .unrecognized(reader.takeToken())
            }
        }
    }
    public struct Transfer: JSONReadable, Sendable {
        public var fromAccount: Int, toAccount: Int, amount: Decimal, confirmation: Int
        static let keys = JSONKeys(
            "fromAccount", "toAccount", "amount", "confirmation", required: 0b1111)
        public static func load(from reader: inout JSONReader) -> Self? {
            var fromAccount = 0
            var toAccount = 0
            var amount = Decimal()
            var confirmation = 0
            var fields = reader.beginObject()
            loop: while true {
                switch reader.nextField(keys, &fields) {
                case 0: fromAccount = reader.readInt()
                case 1: toAccount = reader.readInt()
                case 2: amount = reader.readDecimal()
                case 3: confirmation = reader.readInt()
                default: break loop
                }
            }
            guard !reader.isFaulted else { return nil }
            return Self(
                fromAccount: fromAccount, toAccount: toAccount, amount: amount,
                confirmation: confirmation)
        }
    }
    public struct NeedsApproval: JSONReadable, Sendable {
        public var approver: String
        static let keys = JSONKeys("approver", required: 0b1)
        public static func load(from reader: inout JSONReader) -> Self? {
            var approver = ""
            var fields = reader.beginObject()
            loop: while true {
                switch reader.nextField(keys, &fields) {
                case 0: approver = reader.readString()
                default: break loop
                }
            }
            return reader.isFaulted ? nil : Self(approver: approver)
        }
    }
}
