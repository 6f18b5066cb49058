import Testing

@testable import ErrandRuntime

@Suite struct TrustedAuthorityTests {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    @Test func aCertificateIsPEMOrDER() throws {
        let der: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]
        #expect(try TrustedAuthority(host: "Dev.Local", certificate: der).certificates == [der])
        let pem = "subject=CN\n\(Self.begin)\r\nMAMC\r\nAQU=\r\n\(Self.end)\n\(Self.begin)\nMAMCAQU=\n\(Self.end)"
        let authority = try TrustedAuthority(host: "Dev.Local", certificate: pem)
        #expect(authority.certificates == [der, der])
        #expect(authority.host == "dev.local")
    }

    @Test(arguments: ["", "hello", begin, begin + "\nMAMCAQU=", begin + "\n!\n" + end, begin + "\nAAAA\n" + end, end])
    func anythingElseIsAProblem(text: String) {
        #expect(throws: TrustedAuthorityError.unreadableCertificate(host: "dev.local")) {
            try TrustedAuthority(host: "dev.local", certificate: text)
        }
    }
}
