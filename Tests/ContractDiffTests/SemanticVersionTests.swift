import Testing

@testable import ContractDiff

/// Versions, and the step that changes ask for.
@Suite struct SemanticVersionTests {
    private static let breaks = Change(
        place: ["endpoints", "ask"], edit: .removed, verdict: ChangeVerdict(wire: .breaks("Apps get a 404.")))
    private static let warns = Change(
        place: ["endpoints", "ask", "timeout"], edit: .changed, verdict: ChangeVerdict(behavior: .warns("Slower.")))
    private static let adds = Change(place: ["endpoints", "tell"], edit: .added)
    private static let rest = Change(place: ["endpoints", "ask", "doc"], edit: .changed)
    private static let version = Change(place: ["version"], edit: .changed, old: "1.2.3", new: "2.0.0")

    @Test(arguments: [
        ("1.2.3", "1.2.3"), ("v1.2.3", "1.2.3"), ("2", "2.0.0"), ("1.10", "1.10.0"), ("2.0.0-beta.1", "2.0.0-beta.1"),
        ("1.0.0+build-7", "1.0.0"), ("1.0.0-rc.1+build", "1.0.0-rc.1"),
    ]) func aVersionIsRead(_ text: String, _ wanted: String) {
        #expect(SemanticVersion(text)?.text == wanted)
    }

    @Test(arguments: [
        "", "1.", ".1", "1.2.3.4", "one", "1.-2", "1.0.0-", "+1", "99999999999999999999", "1 .0", "１.0", "2026-01",
        "1.0-beta",
    ])
    func anotherTextIsNoVersion(_ text: String) {
        #expect(SemanticVersion(text) == nil)
    }

    /// The order of section 11 of the specification.
    @Test func versionsHaveTheOrderOfTheSpecification() {
        let ordered = [
            "0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
            "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
        ].compactMap { SemanticVersion($0) }
        for (position, one) in ordered.enumerated() {
            for (otherPosition, other) in ordered.enumerated() {
                #expect((one < other) == (position < otherPosition), "\(one.text) and \(other.text)")
            }
        }
    }

    @Test func theMostSevereChangeDecides() {
        #expect(VersionStep([]) == .none)
        #expect(VersionStep([Self.rest]) == .patch)
        #expect(VersionStep([Self.rest, Self.adds]) == .minor)
        #expect(VersionStep([Self.warns]) == .minor)
        #expect(VersionStep([Self.rest, Self.breaks, Self.adds]) == .major)
    }

    @Test(arguments: [
        ("1.2.3", VersionStep.major, "2.0.0"), ("1.2.3", .minor, "1.3.0"), ("1.2.3", .patch, "1.2.4"),
        ("1.2.3", .none, "1.2.3"), ("0.4.1", .major, "0.5.0"), ("0.4.1", .minor, "0.4.2"), ("0.4.1", .patch, "0.4.2"),
        ("2.0.0-beta.1", .major, "2.0.0"), ("2.0.0-beta.1", .patch, "2.0.0"), ("1.3.0-beta", .major, "2.0.0"),
        ("1.3.0-beta", .minor, "1.3.0"), ("0.5.0-rc", .major, "0.5.0"),
    ]) func theNextVersion(_ old: String, _ step: VersionStep, _ next: String) throws {
        #expect(step.next(after: try #require(SemanticVersion(old))).text == next)
    }

    @Test(arguments: [
        ("1.2.3", "2.0.0", true), ("1.2.3", "3.0.0", true), ("1.2.3", "2.0.0-beta", true), ("1.2.3", "1.3.0", false),
        ("1.2.3", "1.2.3", false), ("0.4.0", "0.5.0", true), ("0.4.0", "0.4.1", false),
        ("2.0.0-beta", "2.0.0-beta", false),
    ]) func aBreakNeedsItsVersion(_ old: String, _ new: String, _ isMet: Bool) {
        #expect(VersionNeed([Self.breaks, Self.version], old: old, new: new).isMet == isMet)
    }

    @Test func theVersionAloneAsksForNoVersion() {
        #expect(VersionNeed([Self.version], old: "1.2.3", new: "1.2.3").step == .none)
        #expect(VersionNeed([Self.version], old: "1.2.3", new: "1.2.2").isMet == false, "it goes back")
        #expect(VersionNeed([Self.breaks], old: nil, new: "1.0.0").isMet == nil)
        #expect(VersionNeed([Self.breaks], old: "of May", new: "1.0.0").suggested == nil)
    }
}
