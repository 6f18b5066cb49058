#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import ErrandRuntime

extension NSResponder {
    /// Sends an error up the responder chain, from this object to its window, the application and the app delegate, and then to
    /// the view that shows errors.
    ///
    /// A failure that a person has caused by cancelling, or has already seen, isn't shown again.
    ///
    /// - Parameters:
    ///   - client: the client whose responders are asked after the chain.
    ///   - retry: called when the answer is to try again.
    @MainActor public func raise(
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
    @MainActor public func errorHandling<Client: ServiceClient>(_ client: Client) -> Client {
        client.responding(with: errorChain)
    }

    @MainActor private var errorChain: ErrorChain {
        ErrorChain { [weak self] in
            var chain: [any ErrorHandlingResponder] = []
            var responder: NSResponder? = self
            while let current = responder {
                if let handler = current as? any ErrorHandlingResponder { chain.append(handler) }
                responder = current.nextResponder
            }
            // The chain of responders ends with the window. The system's own errors go on to these two as well.
            let app = NSApplication.shared
            for other in [app as? any ErrorHandlingResponder, app.delegate as? any ErrorHandlingResponder] {
                if let other, !chain.contains(where: { $0 === other }) { chain.append(other) }
            }
            return chain
        }
    }
}
#endif
