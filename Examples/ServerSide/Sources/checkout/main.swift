import BankClient
import CheckoutService
import Foundation
import Hummingbird
import Logging

let environment = ProcessInfo.processInfo.environment
guard let server = environment["BANK_URL"], let user = environment["BANK_USER"],
    let password = environment["BANK_PASSWORD"]
else {
    print("usage: BANK_URL=https://… BANK_USER=… BANK_PASSWORD=… checkout")
    exit(2)
}
let checkout = Checkout(
    bank: Bank.Server(url: server), login: { Bank.LogIn(user: user, password: password) },
    logger: Logger(label: "checkout"))
try await Application(router: checkout.router()).runService()
