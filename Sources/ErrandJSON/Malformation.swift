/// What the scanning functions find wrong. They work on pointers alone, so that the reader need not
/// be copied or passed, and return this small code beside the position.
enum Malformation: UInt8 {
    case none
    case unexpectedEnd, invalidSyntax, invalidNumber, invalidEscape, loneSurrogate
    case controlCharacter, invalidUTF8, tooDeep

    var code: JSONFault.Code {
        switch self {
        case .unexpectedEnd: .unexpectedEnd
        case .invalidNumber: .invalidNumber
        case .invalidEscape: .invalidEscape
        case .loneSurrogate: .loneSurrogate
        case .controlCharacter: .controlCharacter
        case .invalidUTF8: .invalidUTF8
        case .tooDeep: .tooDeep
        case .none, .invalidSyntax: .invalidSyntax
        }
    }
}
