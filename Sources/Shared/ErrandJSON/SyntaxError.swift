/// The faults that the scanning functions find. These functions use only pointers, so that the reader isn't copied or passed,
/// and return this small code beside the position.
enum SyntaxError: UInt8 {
    case none
    case unexpectedEnd, invalidSyntax, invalidNumber, invalidEscape, loneSurrogate
    case controlCharacter, invalidUTF8, tooDeep

    var code: JSONError.Code {
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
