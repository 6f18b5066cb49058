/// Names of files and anchors that are safe in a path, in a URL and in an attribute, each only once.
///
/// Two names that one file system takes for the same get different files.
struct PageNames {
    private var taken: Set<String>
    /// The last number of each name, so that many names with one beginning do not count from 1 each time.
    private var numbers: [String: Int] = [:]

    init(taken: Set<String> = []) { self.taken = Set(taken.map { $0.lowercased() }) }

    mutating func name(for text: String) -> String {
        var made = ""
        for scalar in text.unicodeScalars.prefix(80) {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            made.unicodeScalars.append(isPlain || scalar == "_" ? scalar : "-")
        }
        if made.isEmpty { made = "-" }
        var number = numbers[made.lowercased()] ?? 1
        var name = number == 1 ? made : "\(made)-\(number)"
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = "\(made)-\(number)"
        }
        numbers[made.lowercased()] = number
        return name
    }
}
