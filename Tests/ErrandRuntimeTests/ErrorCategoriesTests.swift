import ErrandRuntime
import ErrandURLSession
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The category of any error, from any code.
@Suite struct ErrorCategoriesTests {
    private enum DatabaseError: Error { case busy, corrupt, closed }
    private struct PlanError: CategorizedError { let category = ErrorCategory.requiresLogout }

    private let categories = ErrorCategories().adding(DatabaseError.self) { error in
        switch error {
        case .busy: .retryable
        case .corrupt: .nonRetryable
        case .closed: nil
        }
    }

    @Test func whatSaysNothingIsNonRetryable() {
        #expect(ErrorCategory(of: DatabaseError.busy) == .nonRetryable)
        #expect(ErrorCategory(of: CancellationError()) == .nonRetryable)
        #expect(ErrorCategory(of: CancellationError(), using: .urlSession) == .nonRetryable)
    }

    @Test func anAppCategorisesTheErrorsOfOthers() {
        #expect(ErrorCategory(of: DatabaseError.busy, using: categories) == .retryable)
        #expect(ErrorCategory(of: DatabaseError.corrupt, using: categories) == .nonRetryable)
        #expect(ErrorCategory(of: DatabaseError.closed, using: categories) == .nonRetryable)
        #expect(ErrorCategory(of: CancellationError(), using: categories) == .nonRetryable)
    }

    @Test func whatWasAddedLastIsAskedFirst() {
        let more = categories.adding(DatabaseError.self) { $0 == .corrupt ? nil : .requiresLogout }
        #expect(ErrorCategory(of: DatabaseError.busy, using: more) == .requiresLogout)
        #expect(ErrorCategory(of: DatabaseError.corrupt, using: more) == .nonRetryable)
        // It is a value: an earlier copy has what it was.
        #expect(ErrorCategory(of: DatabaseError.busy, using: categories) == .retryable)
    }

    @Test func whoKnowsItsCategoryIsBelieved() {
        let denying = ErrorCategories().adding(PlanError.self) { _ in .retryable }
            .adding(CommandFault.self) { _ in .requiresLogout }
        #expect(ErrorCategory(of: PlanError(), using: denying) == .requiresLogout)
        #expect(ErrorCategory(of: CommandFault(.timedOut), using: denying) == .retryable)
    }

    /// An attempt that meets something and a command that fails with it say the same.
    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, CommandFault.Kind.offline), (.cannotFindHost, .unreachable),
        (.cannotConnectToHost, .unreachable), (.timedOut, .timedOut), (.networkConnectionLost, .connectionLost),
        (.secureConnectionFailed, .insecure), (.serverCertificateUntrusted, .insecure),
        (.badServerResponse, .malformed),
        (.userAuthenticationRequired, .unauthenticated), (.cancelled, .cancelled), (.badURL, .malformed),
    ])
    func anErrorOfTheSystemIsWhatACommandWouldFailWith(code: URLError.Code, kind: CommandFault.Kind) {
        let wanted = ErrorCategory(of: CommandFault(kind))
        #expect(ErrorCategory(of: URLError(code), using: .urlSession) == wanted)
        #expect(ErrorCategory(of: URLError(code)) == .nonRetryable)
        #if !canImport(FoundationNetworking)
        // As a call of the system throws it.
        let bridged: any Error = NSError(domain: NSURLErrorDomain, code: code.rawValue)
        #expect(ErrorCategory(of: bridged, using: .urlSession) == wanted)
        #endif
    }

    @Test(arguments: TransportFault.Kind.allCases) func aFaultKnowsItsCategory(kind: TransportFault.Kind) {
        let wanted: ErrorCategory =
            switch kind {
            case .offline, .dns, .refused, .lost, .timeout: .retryable
            case .tls, .oversized, .unreadable, .requestBody, .storageFull, .storage, .cancelled: .nonRetryable
            case .authentication: .requiresLogout
            }
        #expect(ErrorCategory(of: TransportFault(kind, evidence: .sent)) == wanted)
    }
}
