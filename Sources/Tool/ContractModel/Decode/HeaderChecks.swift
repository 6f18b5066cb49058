import Diagnostics

extension ContractDecoder {
    /// Whether it is valid as a header's name; reports it if not.
    mutating func isHeaderName(_ name: Located<String>) -> Bool {
        let isToken = HeaderText.isName(name.value)
        if !isToken {
            report(
                .invalidHeader, "\(quoted(name.value)) cannot be the name of a header", at: name.range,
                help: "use letters, digits and `-`; write `wire:` if the header has another name than the field")
        }
        return isToken
    }

    /// Whether it is valid as a header's value; reports it if not.
    mutating func isHeaderValue(_ text: Located<String>) -> Bool {
        let isValid = HeaderText.isValue(text.value)
        if !isValid {
            report(
                .invalidHeader, "\(quoted(text.value)) cannot be the value of a header", at: text.range,
                help: "use visible ASCII without line breaks")
        }
        return isValid
    }
}
