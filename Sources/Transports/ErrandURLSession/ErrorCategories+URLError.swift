public import ErrandRuntime
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ErrorCategories {
    /// The category of a `URLError` in requests that an app makes by itself: the category of a command's failure with the same
    /// cause.
    public static let urlSession = ErrorCategories().adding(URLError.self) { TransportFault($0).category }
}
