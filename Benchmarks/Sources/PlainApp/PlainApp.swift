import BankClient

/// Asks the bank for an account, as an app does that uses nothing else of Errand.
@main
struct PlainApp {
    static func main() async {
        let bank = Bank()
        do { print(try await bank.getAccount(accountID: 1)) } catch { print(error) }
    }
}
