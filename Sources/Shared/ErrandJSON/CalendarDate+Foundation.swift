#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CalendarDate {
    /// The day on which an instant falls in a time zone: `CalendarDate(.now, in: .current)`. Nil outside the years 0 to 9999.
    public init?(_ date: Date, in zone: TimeZone) {
        guard let moment = TimestampText.Moment(date) else { return nil }
        let local = moment.seconds + Int64(zone.secondsFromGMT(for: date))
        guard let day = DayCount.date(Int(local.flooredDivision(by: 86_400))) else { return nil }
        self = day
    }

    /// Creates the day of year, month and day, and ignores other components. Nil if one of the three is missing, or if the
    /// Gregorian calendar has no such day.
    public init?(_ components: DateComponents) {
        guard let year = components.year, let month = components.month, let day = components.day else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month and day, without calendar and time zone.
    public var dateComponents: DateComponents { DateComponents(year: year, month: month, day: day) }

    /// The first instant of the day in a time zone. That is midnight, unless clocks are set forward over it.
    public func date(in zone: TimeZone) -> Date {
        let midnight = TimestampText.date(seconds: Int64(DayCount.number(year, month, day)) * 86_400, nanoseconds: 0)
        // A change of the clocks is between these two, or none is near this midnight.
        let offsets = [-86_400.0, 86_400].map { zone.secondsFromGMT(for: midnight + $0) }
        let candidates = offsets.map { midnight - Double($0) }.sorted()
        return candidates.first {
            CalendarDate($0, in: zone) == self && $0 + Double(zone.secondsFromGMT(for: $0)) == midnight
        }
            ?? midnight - Double(offsets[0])
    }
}
