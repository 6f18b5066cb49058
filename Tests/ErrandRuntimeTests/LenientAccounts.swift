import BankClient
import ErrandJSON
import ErrandRuntime

extension Bank {
    /// The list of accounts, where one bad account does not lose the others. By hand: the bank's contract has no such endpoint.
    struct ListAccountsLeniently: ErrandRuntime.Command {
        typealias Service = Bank
        typealias Failure = Bank.Failure
        typealias Response = [Bank.Account]
        static let endpoint = EndpointDescription(
            Bank.service, "listAccountsLeniently", .get, effect: .read, session: .optional,
            envelope: Bank.ListAccounts.endpoint.envelope, list: true, table: Bank.ListAccounts.endpoint.table)
        func encode(into request: inout RequestEncoder) { request.path("/accounts") }
        static func load(from reader: inout JSONReader) -> Response? {
            reader.readArraySkippingInvalid { Bank.Account.load(from: &$0) }
        }
    }
}
