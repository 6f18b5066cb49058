import Foundation

/// The bank's books.
struct BankAccounts {
    struct Account {
        var id: Int
        var owner: Int
        var balance: Decimal
        var status = "active"
        var nickname: String?
        var json: WireJSON {
            .object([
                .init("id", .number(id)), .init("owner", .string(BankAccounts.customers[owner]?.name ?? "")),
                .init("balance", .number("\(balance)")), .init("status", .string(status)),
                .init("openedAt", "2019-05-04T08:00:00Z"),
                .init("nickname", nickname.map(WireJSON.string) ?? .null),
            ])
        }
    }

    struct Customer {
        var login: String
        var password: String
        var name: String
        var barred = false
    }

    static let customers = [
        1: Customer(login: "ada", password: "lovelace", name: "Ada Lovelace"),
        2: Customer(login: "grace", password: "hopper", name: "Grace Hopper"),
        3: Customer(login: "mallory", password: "letmein", name: "Mallory", barred: true),
    ]

    private(set) var accounts: [Int: Account] = [
        1: Account(id: 1, owner: 1, balance: Decimal(string: "25000.10") ?? 0, nickname: "Savings"),
        5: Account(id: 5, owner: 1, balance: Decimal(string: "80.25") ?? 0),
        7: Account(id: 7, owner: 1, balance: 300, status: "frozen"),
        8: Account(id: 8, owner: 1, balance: 0),
        // A status that came after the contract was written.
        9: Account(id: 9, owner: 2, balance: 12, status: "dormant"),
    ]
    private(set) var bookings: [BankService.Booking] = []
    /// Another one after each change.
    private(set) var version = 1

    func accounts(of owner: Int, status: String?) -> [Account] {
        accounts.values.filter { $0.owner == owner && (status == nil || $0.status == status) }.sorted { $0.id < $1.id }
    }

    subscript(id: Int?) -> Account? { id.flatMap { accounts[$0] } }

    mutating func rename(_ id: Int, to nickname: String?) {
        version += 1
        accounts[id]?.nickname = nickname
    }

    mutating func close(_ id: Int) {
        version += 1
        accounts[id] = nil
    }

    mutating func book(from: Int, to: Int, amount: Decimal, reference: String?, key: String) -> BankService.Booking {
        version += 1
        accounts[from]?.balance -= amount
        accounts[to]?.balance += amount
        let booking = BankService.Booking(
            fromAccount: from, toAccount: to, amount: amount, reference: reference, key: key,
            confirmation: 232_348_844 + bookings.count)
        bookings.append(booking)
        return booking
    }
}
