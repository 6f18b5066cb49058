/// Names of what must not be printed. The rules of `errand lint` look for them, and the import of a document marks them.
package enum SecretName {
    private static let credentials: Set<String> = [
        "password", "passwd", "passphrase", "secret", "clientsecret", "apikey", "apisecret", "privatekey",
        "accesstoken", "refreshtoken",
        "authtoken", "sessiontoken", "pincode", "cvv", "cvc", "jwt", "bearertoken", "xapikey",
    ]
    private static let others: Set<String> = [
        "token", "idtoken", "pin", "otp", "ssn", "onetimepassword", "newpassword", "oldpassword", "authorization",
    ]
    private static let personal: Set<String> = [
        "email", "emailaddress", "phone", "phonenumber", "mobilenumber", "iban", "cardnumber", "creditcard",
        "creditcardnumber", "passportnumber", "socialsecuritynumber",
    ]

    /// What proves who someone is, wherever it is.
    package static func isCredential(_ name: String) -> Bool { credentials.contains(NameWords.folded(name)) }

    /// What only its owner should read.
    package static func isSecret(_ name: String) -> Bool {
        let name = NameWords.folded(name)
        return credentials.contains(name) || others.contains(name)
    }

    /// What is about a person.
    package static func isPersonal(_ name: String) -> Bool { personal.contains(NameWords.folded(name)) }
}
