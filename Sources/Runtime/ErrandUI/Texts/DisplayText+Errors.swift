import ErrandRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DisplayText {
    /// An error's own text for people; empty if it has none. Its description may hold secrets.
    static func message(of error: any Error) -> String { (error as? any LocalizedError)?.errorDescription ?? "" }
}
