import BankClient
import ErrandRuntime
import ErrandStubs
import Foundation
import FriendsClient
import PresenceClient

let bank = Bank()
let presence = Presence()
let friends = Friends(common: Friends.Common(deviceID: "d"))
let deviceID = "d"
let amount: Decimal = 5
let bytes: [UInt8] = []
let receipt = Receipt.declared
let ask: @Sendable (_ text: String) async -> Bool = { _ in false }

func offer(_ amount: Decimal?) {}
func keep(_ receipt: Receipt) {}
func show(_ text: String) {}
func askForPassword() async -> Bank.LogIn? { nil }

struct Banner: Responder {
    let ask: @Sendable (_ text: String) async -> Bool
    func respond(to incident: Incident) async -> IncidentAnswer { .fail }
}
