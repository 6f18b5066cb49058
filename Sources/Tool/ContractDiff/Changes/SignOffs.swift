import ContractModel
import Diagnostics
import YAMLTree

/// One accepted break.
package struct SignOff: Sendable, Equatable {
    package let fingerprint: ChangeFingerprint
    package let reason: String
    /// The last day on which it counts.
    package let expires: CalendarDay
    /// Where the file has its values; nil for a new one.
    package let places: Places?

    /// The places of an entry's values.
    package struct Places: Sendable {
        package let fingerprint: SourceRange
        package let reason: SourceRange
        package let expires: SourceRange

        package init(fingerprint: SourceRange, reason: SourceRange, expires: SourceRange) {
            self.fingerprint = fingerprint
            self.reason = reason
            self.expires = expires
        }
    }

    package init(
        fingerprint: ChangeFingerprint, reason: String, expires: CalendarDay, places: Places? = nil
    ) {
        self.fingerprint = fingerprint
        self.reason = reason
        self.expires = expires
        self.places = places
    }

    /// The place of a finding about it.
    package var range: SourceRange? { places?.fingerprint }

    /// The entry as an element of a list, with its line breaks.
    ///
    /// - Parameter indentation: the blanks before the element's dash.
    package func lines(indentation: String = "  ") -> String {
        """
        \(indentation)- fingerprint: \(YAMLText.quoted(fingerprint.text))
        \(indentation)  reason: \(YAMLText.quoted(reason))
        \(indentation)  expires: \(expires.text)

        """
    }

    package static func == (left: SignOff, right: SignOff) -> Bool {
        (left.fingerprint, left.reason, left.expires) == (right.fingerprint, right.reason, right.expires)
    }
}

/// The breaks that a team has accepted, each with a reason and until a day.
package struct SignOffs: Sendable {
    package private(set) var entries: [SignOff]

    package init(_ entries: [SignOff] = []) { self.entries = entries }

    /// The breaks that are accepted, and the entries that need an edit.
    package struct Result: Sendable {
        /// The valid entry of each break that has one.
        package var accepted: [ChangeFingerprint: SignOff] = [:]
        /// Entries that cover a break, and whose day is over.
        package var expired: [SignOff] = []
        /// Entries that no break of this comparison has.
        package var unused: [SignOff] = []
    }

    /// Applies the entries to the breaks of a comparison.
    ///
    /// - Parameters:
    ///   - breaks: the fingerprints of the changes that break something.
    ///   - services: the services that were compared. Entries of others are not unused.
    ///   - today: the day of the comparison.
    package func applied(
        to breaks: [ChangeFingerprint], ofServices services: [String], today: CalendarDay
    ) -> Result {
        var result = Result()
        let found = Set(breaks)
        for entry in entries where entry.expires >= today && found.contains(entry.fingerprint) {
            result.accepted[entry.fingerprint] = result.accepted[entry.fingerprint] ?? entry
        }
        let compared = Set(services.map { $0[...] })
        for entry in entries {
            if !found.contains(entry.fingerprint) {
                let service = entry.fingerprint.text.prefix { $0 != " " }
                if compared.contains(service) { result.unused.append(entry) }
            } else if entry.expires < today, result.accepted[entry.fingerprint] == nil {
                result.expired.append(entry)
            }
        }
        return result
    }

    /// The entries that accept breaks: new ones, and those whose day is over.
    package struct Addition: Sendable {
        /// Entries of breaks that have none, by their fingerprints.
        package var new: [SignOff] = []
        /// The entries whose day is over, and what they become.
        package var renewed: [(old: SignOff, new: SignOff)] = []
    }

    /// What accepts the breaks. A break with an entry that counts keeps its reason and its day.
    package func addition(
        for breaks: [ChangeFingerprint], reason: String, expires: CalendarDay, today: CalendarDay
    ) -> Addition {
        var addition = Addition()
        for fingerprint in Set(breaks).sorted() {
            let known = entries.filter { $0.fingerprint == fingerprint }
            guard !known.contains(where: { $0.expires >= today }) else { continue }
            let new = SignOff(fingerprint: fingerprint, reason: reason, expires: expires)
            if let old = known.first {
                addition.renewed.append((old, new))
            } else {
                addition.new.append(new)
            }
        }
        return addition
    }

    /// The entries with others in the places of those that are over, and the new ones after them.
    package func with(_ addition: Addition) -> SignOffs {
        let kept = entries.map { entry in addition.renewed.first { $0.old == entry }?.new ?? entry }
        return SignOffs(kept + addition.new)
    }

    /// The text of a new file.
    package var text: String {
        var text =
            "# Breaks that the team has accepted. `errand diff OLD NEW --sign-off REASON --expires DATE` adds entries.\n"
        text += entries.isEmpty ? "sign-offs: []\n" : "sign-offs:\n"
        return text + entries.map { $0.lines() }.joined()
    }
}
