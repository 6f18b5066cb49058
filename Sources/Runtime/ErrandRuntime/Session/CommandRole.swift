/// On whose behalf a command is sent.
enum CommandRole: Sendable {
    /// The app's.
    case ordinary
    /// The session's, to log in or to renew itself: it waits at no session gate and starts no login.
    case renewal(SessionVersion)
    /// Another command's, to find out how that one ended: it belongs to the same login.
    case confirmation(of: CommandEpoch)
    /// The app's, to send the same intent once more: with its key, and in its login.
    case resubmission(IdempotencyKey, of: CommandEpoch)
    /// The app's, as a page of a list: it belongs to the login that the pages before it belong to, and goes where the last of
    /// them says.
    case page(of: CommandEpoch?, PageLink?)
    /// The app's, for the rest of a transfer: it belongs to the login in which the transfer has begun.
    case rest(of: CommandEpoch)
    /// The cache's, to ask for a newer response while a stale one is used: it belongs to the login of the read that has found the stale
    /// one.
    case revalidation(of: CommandEpoch)
    /// A connection's, to present the session's token on it: it waits at no gate of the session or of the connection.
    case attachment(any ConnectionHandle)
    /// The session's, to find out whose the token of a login is: it carries this token, and waits at no gate of the session.
    case identification(token: String)
    /// The app's, sent by a carrier that outlasts the process. It belongs to the login in which an earlier process has sent it.
    case carried(any CommandCarrier, of: CommandEpoch?)
    /// The app's, kept in an outbox: its attempts are noted there, and it belongs to a login of the user who submitted it.
    case recorded(any CommandRecorder, of: CommandEpoch)

    /// Whether a caller waits for this very command.
    var isOrdinary: Bool {
        switch self {
        case .ordinary, .resubmission, .page, .rest, .carried, .recorded: true
        case .renewal, .confirmation, .revalidation, .attachment, .identification: false
        }
    }

    /// Whether the session sends it, so that others wait for it.
    var isRenewal: Bool {
        switch self {
        case .renewal, .identification: true
        default: false
        }
    }

    var isAttachment: Bool {
        if case .attachment = self { true } else { false }
    }

    /// Whether the cache has a part in it. A read that confirms another command has to be sent after that one, and a part of a transfer
    /// continues its own response.
    var isCacheable: Bool {
        switch self {
        case .ordinary, .revalidation: true
        default: false
        }
    }

    var isRevalidation: Bool {
        if case .revalidation = self { true } else { false }
    }

    var isPage: Bool {
        if case .page = self { true } else { false }
    }

    var isCarried: Bool {
        if case .carried = self { true } else { false }
    }

    var isRecorded: Bool {
        if case .recorded = self { true } else { false }
    }

    var isConfirmation: Bool {
        if case .confirmation = self { true } else { false }
    }
}

/// A connection for code that passes it on: `CommandRun/`, in a folder above, knows what it does.
package protocol ConnectionHandle: AnyObject, Sendable {}
