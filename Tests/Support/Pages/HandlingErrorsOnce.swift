import BankClient
import Foundation

let bank = Bank()
let amount: Decimal = 5
let session = Session()
let path = "/tmp/session.json"
let ask: @Sendable (_ text: String) async -> Bool = { _ in false }

func offer(_ amount: Decimal?) {}
func showPending() {}
func show(_ text: String) {}
func askForPassword() async -> Bank.LogIn? { nil }

// swift-format-ignore: TypeNamesShouldBeCapitalized
enum notes {
    static func save() async throws {}
}
