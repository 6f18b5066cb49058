#if canImport(SwiftUI)
public import ErrandRuntime
public import SwiftUI

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
extension View {
    /// Handles the errors that the views inside this one report, before anything else does.
    ///
    ///     LoginForm().handlingErrors { incident in
    ///         guard incident.category == .requiresLogout else { return .pass }
    ///         hint = incident.message          // shown on the form, and nowhere else
    ///         return .handled
    ///     }
    ///
    /// `.pass` gives it to the handler around this one, and in the end to what shows errors; `.recategorize` has it shown as an error of
    /// another category; `.retry` tries again. Commands that are sent through `errors.client(bank)` ask the handler, too.
    public func handlingErrors(_ handler: @escaping @MainActor @Sendable (Incident) async -> IncidentAnswer)
        -> some View
    {
        modifier(HandlingErrors(handler: handler))
    }

    /// Reports an error as soon as it is set, and sets it back to nil.
    ///
    ///     @State private var error: (any Error)?
    ///     …
    ///     Button("Send") { Task { do { try await send() } catch { self.error = error } } }
    ///         .emittingError($error) { await send() }
    ///
    /// The report outlives the view: a person who has left the view sees it too.
    ///
    /// - Parameter retry: called when a person chooses to try again. Without it, the presentation has no such button.
    public func emittingError(
        _ error: Binding<(any Error)?>, retry: (@MainActor @Sendable () async -> Void)? = nil
    ) -> some View {
        modifier(EmittingError(error: error, retry: retry))
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private struct HandlingErrors: ViewModifier {
    let handler: @MainActor @Sendable (Incident) async -> IncidentAnswer
    /// One for as long as the view is there: the pipeline asks the same responder once.
    @State private var box = ErrorHandlerBox()
    @Environment(\.errorReporter) private var outer

    func body(content: Content) -> some View {
        box.update { [handler] in await handler($0) }
        return content.environment(\.errorReporter, outer.handling(box))
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
private struct EmittingError: ViewModifier {
    @Binding var error: (any Error)?
    let retry: (@MainActor @Sendable () async -> Void)?
    @Environment(\.errorReporter) private var errors

    func body(content: Content) -> some View {
        content.onChange(of: error != nil) { _, isThere in
            guard isThere, let error else { return }
            self.error = nil
            let errors = errors
            let retry = retry
            Task {
                if let retry {
                    await errors.report(error) { await retry() }
                } else {
                    await errors.report(error)
                }
            }
        }
    }
}
#endif
