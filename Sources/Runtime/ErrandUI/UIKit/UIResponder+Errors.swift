#if canImport(UIKit) && !os(watchOS)
public import ErrandRuntime
public import UIKit

extension UIResponder {
    /// Sends an error up the responder chain, from this object to the app delegate, and then to the view that shows errors.
    ///
    ///     } catch {
    ///         raise(error, through: bank) { [weak self] in await self?.reload() }
    ///     }
    ///
    /// A failure that a person has caused by cancelling, or has already seen, isn't shown again.
    ///
    /// - Parameters:
    ///   - client: the client whose responders are asked after the chain.
    ///   - retry: called when the answer is to try again.
    public func raise(
        _ error: any Error, through client: some ServiceClient, retry: (@MainActor @Sendable () async -> Void)? = nil
    ) {
        let reporter = ErrorReporter(client).handling(errorChain)
        Task {
            if let retry {
                await reporter.report(error) { await retry() }
            } else {
                await reporter.report(error)
            }
        }
    }

    /// A client whose commands ask the responder chain from this object upward before the app's responder. Keep it: each call makes
    /// another responder.
    public func errorHandling<Client: ServiceClient>(_ client: Client) -> Client { client.responding(with: errorChain) }

    private var errorChain: ErrorChain {
        ErrorChain { [weak self] in
            var chain: [any ErrorHandlingResponder] = []
            // It ends with the app delegate, if that is a responder (UIResponder, “next”).
            var responder: UIResponder? = self
            while let current = responder {
                if let handler = current as? any ErrorHandlingResponder { chain.append(handler) }
                responder = current.next
            }
            return chain
        }
    }
}
#endif
