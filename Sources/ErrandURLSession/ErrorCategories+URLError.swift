public import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ErrorCategories {
    /// What is to be said of `URLError`, for requests that an app makes by itself: the category that a command
    /// has which meets the same.
    public static let urlSession = ErrorCategories().adding(URLError.self) { TransportFault($0).category }
}
