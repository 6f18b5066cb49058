import BankClient
import ErrandRuntime
import ErrandTesting

/// What users do at the device, and what happens to them meanwhile.
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *)
extension UserWorld {
    /// The user does something, unless another one sits there by then.
    func act(as user: Int, at bank: Bank) async -> Bool {
        await simulation.sleep(for: .milliseconds(random(below: 4_000)))
        let kind = random(below: 6)
        guard submitter == user else { return false }
        switch kind {
        case 0, 1: return (try? await bank.send(Deed(user: user))) != nil
        case 2: return (try? await bank.send(Look(user: user))) != nil
        case 3: return await give(user, bank)
        case 4: return await walk(user, bank)
        default: return await watch(user, bank)
        }
    }

    /// Sends something with a key, and once more if nobody knows whether it arrived, whoever sits there by then.
    private func give(_ user: Int, _ bank: Bank) async -> Bool {
        guard case .failure(.unconfirmed(let receipt)) = await bank.result(of: Gift(user: user)) else { return true }
        await simulation.sleep(for: .milliseconds(random(below: 8_000)))
        return (try? await bank.send(again: receipt, as: Gift.self)) != nil
    }

    /// Turns pages, with breaks and after failures too.
    private func walk(_ user: Int, _ bank: Bank) async -> Bool {
        let pages = bank.pages(of: Walk(user: user)).makeAsyncIterator()
        var hasBegun = false
        for _ in 1...4 {
            // Before the first page, the walk is nobody's.
            guard hasBegun || submitter == user else { return false }
            if (try? await pages.next()) != nil { hasBegun = true }
            await simulation.sleep(for: .milliseconds(random(below: 3_000)))
        }
        return hasBegun
    }

    /// Watches for some time. Lost connections are opened again.
    private func watch(_ user: Int, _ bank: Bank) async -> Bool {
        var events = bank.stream(Watch(user: user)).makeAsyncIterator()
        for _ in 1...8 {
            guard let owner = try? await events.next() else { return false }
            if owner != user { state.withLock { $0.strangers.append("\(user) has watched \(owner)") } }
        }
        return true
    }

    /// Sessions expire, and the network comes and goes.
    func storm() async {
        while !Task.isCancelled {
            await simulation.sleep(for: .milliseconds(200 + random(below: 1_500)))
            switch random(below: 4) {
            case 0: simulation.network.goAway()
            case 1: expireAll()
            default: simulation.network.comeBack()
            }
        }
    }
}
