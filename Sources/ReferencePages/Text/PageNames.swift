/// Names of files and anchors that are safe in a path, in a URL and in an attribute, each only once.
///
/// Two names that one file system takes for the same get different files.
struct PageNames {
    private var taken: Set<String>

    init(taken: Set<String> = []) { self.taken = Set(taken.map { $0.lowercased() }) }

    mutating func name(for text: String) -> String {
        var made = ""
        for scalar in text.unicodeScalars.prefix(80) {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            made.unicodeScalars.append(isPlain || scalar == "_" ? scalar : "-")
        }
        if made.isEmpty { made = "-" }
        var name = made
        var number = 1
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = "\(made)-\(number)"
        }
        return name
    }
}
