/// The shape of a path. Two paths have the same shape if they differ only in the names and types of their parameters.
enum PathShape {
    /// A path without the names and types of its parameters.
    static func of(_ path: String) -> String {
        var shape = ""
        var isParameter = false
        for letter in path {
            if letter == "{" { isParameter = true }
            if !isParameter { shape.append(letter) }
            if letter == "}" {
                isParameter = false
                shape += "{}"
            }
        }
        return shape
    }
}
