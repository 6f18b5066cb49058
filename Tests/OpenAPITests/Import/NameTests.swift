import ContractModel
import Testing

@testable import OpenAPI
@testable import SwiftEmitter

@Suite struct NameTests {
    @Test(arguments: [
        ("billing_details", "billingDetails"), ("URLPath", "urlPath"), ("post-id", "postID"),
        ("X-Request-Id", "xRequestID"),
        ("3d_secure", "threeDSecure"), ("24h", "value24h"), ("NOT_FOUND", "notFound"), ("ID", "id"), ("@type", "type"),
        ("+1", "plus1"), ("-1", "minus1"), ("", "empty"), ("userId", "userId"),
    ])
    func ofValues(_ text: String, _ name: String) { #expect(NameText.valueName(text) == name) }

    @Test(arguments: [
        ("account_business_profile", "AccountBusinessProfile"), ("Page«User»", "PageUser"), ("error-400", "Error400"),
        ("400", "Value400"), ("order", "Order"), ("ACHClass", "ACHClass"), ("日本", "U65e5u672c"),
    ])
    func ofTypes(_ text: String, _ name: String) { #expect(NameText.typeName(text) == name) }

    @Test(arguments: [
        ("lines", "Line"), ("addresses", "Address"), ("categories", "Category"), ("data", "DataItem"),
        ("status", "StatusItem"),
    ])
    func ofOneOfSeveral(_ text: String, _ name: String) { #expect(NameText.singular(text) == name) }

    @Test(arguments: [
        ("Stripe API", "Stripe"), ("Swagger Petstore", "Petstore"), ("The Plaid API", "Plaid"), ("API", "API"),
        ("7 days", "SevenDays"), ("Ledger & Payments API (v2.1)", "LedgerPayments"), ("Area 51 API 1.0", "Area51"),
        ("v2", "V2"), ("Spotify Web API with fixes and improvements from sonallux", "SpotifyWeb"),
        ("Registry of Deeds and Titles and Liens", "RegistryOfDeedsAndTitles"), ("With", "With"),
    ])
    func ofServices(_ text: String, _ name: String) { #expect(NameText.serviceName(text) == name) }

    /// Signs tell the values of an enum apart.
    @Test func signsAreWordsWhereTheyTellValuesApart() {
        let names = EnumDefinition(
            values: ["Etc/GMT+1", "Etc/GMT-1", "Etc/GMT1", "UTC-5", "a-1"], isNumeric: false, names: nil
        ).cases.map(\.name.value)
        #expect(names == ["etcGMTPlus1", "etcGMTMinus1", "etcGMT1", "utc5", "a1"])
    }
}
