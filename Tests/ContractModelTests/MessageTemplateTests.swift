import ContractModel
import Testing

/// What braces in a text for people mean.
@Suite struct MessageTemplateTests {
    private func filled(_ text: String, _ values: [String: String] = [:]) -> String {
        MessageTemplate(text).text { values[$0] }
    }

    @Test func placeholdersAreFilled() {
        #expect(filled("You need {price} coins.", ["price": "200"]) == "You need 200 coins.")
        #expect(filled("{a}{b}", ["a": "1", "b": "2"]) == "12")
        #expect(filled("{größe} cm", ["größe": "5"]) == "5 cm")
        // A value is no template.
        #expect(filled("{a} {b}", ["a": "{b}", "b": "x"]) == "{b} x")
        #expect(MessageTemplate("{b}, {a} and {b}").names == ["b", "a"])
    }

    @Test func aPlaceholderWithoutAValueLeavesNoGap() {
        #expect(filled("There is not enough money in account {account}.") == "There is not enough money in account.")
        #expect(filled("You need {price} coins.") == "You need coins.")
        #expect(filled("You need {price} coins.", ["price": ""]) == "You need coins.")
        #expect(filled("{name} is not here.") == "is not here.")
        #expect(filled("{name}") == "")
        #expect(filled("From {a} to {b}", ["b": "2"]) == "From to 2")
    }

    @Test(arguments: ["", "{", "}", "{}", "{ a }", "{a", "a}", "{1}", "{a.b}", "{a b}", "{\u{0}}", "{{", "}}"])
    func otherBracesAreText(_ text: String) {
        #expect(MessageTemplate(text).names.isEmpty)
        #expect(filled(text, ["a": "x"]) == text)
    }

    @Test func doubledBracesAreBraces() {
        #expect(filled("Use {{name}}, {name}.", ["name": "x"]) == "Use {name}, x.")
        #expect(MessageTemplate("{{name}}").names.isEmpty)
        #expect(filled("{{a}", ["a": "x"]) == "{x")
    }
}
