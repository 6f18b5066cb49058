import Foundation
import LiveClient

/// A program that buys a gift, and says what a person would read. It has the texts that are beside it, in the language of its
/// environment, and sets nothing up for that.
@main struct MessageTeller {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { return print("usage: MessageTeller <server>") }
        let session = Session()
        await session.begin(SessionTokens(access: "token"))
        let live = Live(
            .init(url: CommandLine.arguments[1]), session: session, common: .init(appVersion: "1.0"), privateKey: "key")
        switch await live.result(of: Live.SendGift(roomID: 1, giftID: 20)) {
        case .success: print("bought")
        case .failure(let failure): print(failure.context.message)
        }
    }
}
