/// What two paths have in common that differ in the names and types of their parameters only.
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
