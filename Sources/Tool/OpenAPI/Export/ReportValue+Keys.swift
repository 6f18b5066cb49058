import Diagnostics

extension ReportValue {
    /// The value of an object's key.
    subscript(key: String) -> ReportValue? { pairs.first { $0.key == key }?.value }

    /// The keys and values of an object.
    var pairs: OpenAPIExport.Pairs {
        if case .object(let pairs) = self { pairs } else { [] }
    }

    var items: [ReportValue] {
        if case .list(let items) = self { items } else { [] }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var isTrue: Bool {
        if case .flag(true) = self { true } else { false }
    }

    /// The object with another value for a key that it has; without the key if the value is nil.
    func replacing(_ key: String, with value: ReportValue?) -> ReportValue {
        guard case .object(let pairs) = self else { return self }
        return .object(
            pairs.compactMap { pair in
                guard pair.key == key else { return pair }
                return value.map { (key, $0) }
            })
    }
}
