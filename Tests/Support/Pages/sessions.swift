import BankClient
import ErrandRuntime
import Foundation

let folder = "/tmp"
let dispatcher = Dispatcher()
let device = UUID()
let token = "t"
let session = Session()

// swift-format-ignore: TypeNamesShouldBeCapitalized
enum app {
    static func askForPassword() async -> Bank.LogIn? { nil }
}
// swift-format-ignore: TypeNamesShouldBeCapitalized
enum user {
    static let id = "7"
}
enum Screen { case login, accounts }
@MainActor var screen = Screen.login

actor Vault {
    private(set) var tokens: SessionTokens?
    func keep(_ tokens: SessionTokens?) { self.tokens = tokens }
}
