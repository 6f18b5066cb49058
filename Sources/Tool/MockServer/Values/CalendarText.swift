import ContractModel

/// Dates and times as texts (proleptic Gregorian, UTC).
enum CalendarText {
    /// `2026-11-21`.
    static func date(dayNumber: Int) -> String { CalendarDay(number: dayNumber).text }

    /// `2026-11-21T08:00:00Z`.
    static func timestamp(seconds: Int) -> String {
        let (day, second) = CalendarDay.dayAndSecond(seconds)
        let parts = [second / 3600, second / 60 % 60, second % 60].map { CalendarDay.padded($0, 2) }
        return "\(date(dayNumber: day))T\(parts.joined(separator: ":"))Z"
    }
}
