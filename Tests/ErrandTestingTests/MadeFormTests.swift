import ErrandTesting
import EverythingClient
import Foundation
import Testing

/// Responses of the simulated server whose fields can be in several forms.
@Suite struct MadeFormTests {
    @Test func aResponseIsMadeOfValuesInTheirForms() async throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, *) else { return }
        try await Simulation.run(seeds: 20) { simulation in
            let client = Everything(
                .fixed, on: simulation.dispatcher, common: .init(xDevice: UUID(), apiKey: "k"), secretKey: "s")
            let day = try #require(CalendarDate("2026-11-21"))
            let forms = Everything.Forms(
                seen: Date(timeIntervalSince1970: 0), log: [], starts: .date(day), breaks: [], phase: .open,
                pace: .fast,
                gear: .low)
            let made = try await client.sendForms(on: .date(day), phase: .open, body: forms)
            _ = made.starts
            let extended = Everything.Extended(moments: .init(additionalProperties: ["on": .date(day)]))
            _ = try await client.sendExtended(extended: extended, sorted: [])
        }
    }
}
