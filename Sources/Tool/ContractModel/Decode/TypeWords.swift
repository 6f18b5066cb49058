/// The names in the text of a type.
package enum TypeWords {
    /// The text with other names.
    package static func replacing(in text: String, _ name: (String) -> String?) -> String {
        var result = ""
        var word = ""
        for character in text {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                result += name(word) ?? word
                word = ""
                result.append(character)
            }
        }
        return result + (name(word) ?? word)
    }
}
