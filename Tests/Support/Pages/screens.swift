import BankClient
import ErrandUI

let session = Session()
let user = "ada"
let password = "lovelace"
let bank = Bank()
@MainActor let presenter = ErrorPresenter()
func ask(_ question: String) async -> String? { user }
func askPassword(_ question: String) async -> String? { password }
@MainActor let panel = Panel()

// swift-format-ignore: TypeNamesShouldBeCapitalized
enum accounts {
    static func refresh() async {}
}

@MainActor final class Panel {
    var shown: ErrorPresentation?
    func close() { shown = nil }
    func show(_ presentation: ErrorPresentation, _ choose: @escaping (PresentationAction) -> Void) {
        shown = presentation
    }
}
