/// The names of fields that must not be printed. The rules of `errand lint` search for them, and the import of a document marks
/// them.
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

    /// Whether a name means a credential, in any place.
    package static func isCredential(_ name: String) -> Bool { credentials.contains(NameWords.folded(name)) }

    /// Whether a name means a value that only its owner should read.
    package static func isSecret(_ name: String) -> Bool {
        let name = NameWords.folded(name)
        return credentials.contains(name) || others.contains(name)
    }

    /// Whether a name means personal data.
    package static func isPersonal(_ name: String) -> Bool { personal.contains(NameWords.folded(name)) }
}
