import Diagnostics

extension ReportValue {
    /// The value of an object's key.
    subscript(key: String) -> ReportValue? {
        guard case .object(let pairs) = self else { return nil }
        return pairs.first { $0.key == key }?.value
    }
}
