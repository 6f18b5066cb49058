import ErrandRuntime

/// The texts that come with Errand, by key. `Errand.xcstrings` beside this file has the same for an app's own languages; a test
/// compares them.
///
/// The texts are a table in Swift and not a resource. Only Xcode compiles a catalog, and a command line program would have to be
/// installed together with a resource bundle.
enum BuiltInTexts {
    /// By language code.
    static let languages = ["en": english, "de": german]

    /// The meaning of each key, for translators.
    static let comments: [String: String] = [
        "errand.title.offline": "Title: there is no network. It closes by itself.",
        "errand.title.outage": "Title: a server does not answer. It closes by itself.",
        "errand.title.session": "Title: the session is over.",
        "errand.title.interrupted": "Title: something failed that can be tried again.",
        "errand.title.failed": "Title: something failed for good.",
        "errand.action.retry": "Button: what failed is tried again.",
        "errand.action.logIn": "Button: shows the login screen.",
        "errand.action.dismiss": "Button: closes the message.",
        "errand.more.one": "Below the message: one more error looks alike.",
        "errand.more.other": "Below the message: %d more errors look alike.",
        "errand.loading": "For assistive technologies: content is being loaded.",
        "errand.raised": "Message: an error of the app that has no text of its own.",
    ]

    static let english: [String: String] = messages.merging([
        "errand.title.offline": "No Connection",
        "errand.title.outage": "No Answer",
        "errand.title.session": "Logged Out",
        "errand.title.interrupted": "Interrupted",
        "errand.title.failed": "That Did Not Work",
        "errand.action.retry": "Try Again",
        "errand.action.logIn": "Log In",
        "errand.action.dismiss": "Close",
        "errand.more.one": "And one more.",
        "errand.more.other": "And %d more.",
        "errand.loading": "Loading",
        "errand.raised": "Something went wrong.",
    ]) { $1 }

    /// The runtime's own messages, from the runtime itself.
    private static let messages = Dictionary(
        uniqueKeysWithValues: CommandFault.Kind.allCases.map { kind in
            ("errand.\(kind.rawValue)", CommandFault(kind).context.message)
        })

    static let german: [String: String] = [
        "errand.title.offline": "Keine Verbindung",
        "errand.title.outage": "Keine Antwort",
        "errand.title.session": "Abgemeldet",
        "errand.title.interrupted": "Unterbrochen",
        "errand.title.failed": "Das hat nicht geklappt",
        "errand.action.retry": "Erneut versuchen",
        "errand.action.logIn": "Anmelden",
        "errand.action.dismiss": "Schließen",
        "errand.more.one": "Und ein weiterer Fehler.",
        "errand.more.other": "Und %d weitere Fehler.",
        "errand.loading": "Wird geladen",
        "errand.raised": "Etwas ist schiefgegangen.",
        "errand.invalidRequest": "Eine Eingabe ist nicht gültig.",
        "errand.bodyChanged": "Die Datei hat sich beim Senden geändert.",
        "errand.localStorageFull": "Auf diesem Gerät ist nicht genug Platz.",
        "errand.localFault": "Daten auf diesem Gerät waren nicht zu lesen oder zu speichern.",
        "errand.offline": "Es besteht keine Verbindung zum Netz.",
        "errand.unreachable": "Der Server ist nicht erreichbar.",
        "errand.connectionLost": "Die Verbindung ist abgebrochen.",
        "errand.timedOut": "Der Server hat zu lange nicht geantwortet.",
        "errand.insecure": "Eine sichere Verbindung zum Server war nicht möglich.",
        "errand.throttled": "Das waren zu viele Anfragen. Bitte später noch einmal versuchen.",
        "errand.requestTimeout": "Der Server hat zu lange auf die Anfrage gewartet. Bitte noch einmal versuchen.",
        "errand.unavailable": "Der Dienst ist nicht verfügbar. Bitte später noch einmal versuchen.",
        "errand.serverFault": "Auf dem Server ist etwas schiefgegangen.",
        "errand.unauthenticated": "Bitte anmelden.",
        "errand.sessionEnded": "Die Sitzung ist beendet.",
        "errand.rejected": "Der Server hat die Anfrage abgelehnt.",
        "errand.malformed": "Die Antwort des Servers war nicht zu verstehen.",
        "errand.unconfirmed": "Es ist nicht bekannt, ob dies ausgeführt wurde.",
        "errand.cancelled": "Dies wurde abgebrochen.",
    ]

    /// All keys, sorted.
    static var keys: [String] { english.keys.sorted() }
}
