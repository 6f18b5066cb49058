/// Dates without a library for calendars (proleptic Gregorian, UTC).
enum CalendarText {
    /// `2026-11-21`.
    static func date(dayNumber: Int) -> String {
        // Days since 1970-01-01 to year, month and day (Hinnant: chrono-compatible low-level date algorithms).
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        return "\(year)-\(twoDigits(calendarMonth))-\(twoDigits(day))"
    }

    /// `2026-11-21T08:00:00Z`.
    static func timestamp(seconds: Int) -> String {
        let day = seconds.floorDivided(by: 86_400)
        let rest = seconds - day * 86_400
        return
            "\(date(dayNumber: day))T\(twoDigits(rest / 3600)):\(twoDigits(rest / 60 % 60)):\(twoDigits(rest % 60))Z"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int {
    fileprivate func floorDivided(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }
}
