/// How many retries a host gets, over all commands. In an outage, retries would only add to the load of a host that is down, so each
/// host has a bucket of tokens, which begins full. A retry takes a token, and a success gives a part of one back. Without a token, a
/// command ends with its failure.
///
/// The names are those of gRPC (gRFC A6, `retryThrottling`). A dispatcher has one budget for each origin. In a total outage, all
/// commands together make at most `maximumTokens` retries. Over any time, the retries are at most `maximumTokens`, and `tokenRatio`
/// for each success.
///
/// These give tokens back:
/// - A command that succeeds or has an outcome, or that fails with an error that its endpoint itself lists as `nonRetryable`: such a
///   response shows a host that works. Errors that all endpoints share may come from a gateway.
/// - A stream or a download that ends well, and before that each minute in which it brings something new. Time alone gives nothing.
/// - A retry that was not made, because the command was canceled or had to end before: its token comes back.
/// - An attempt that continues a download, as soon as 256 KiB of new bytes have come, and one that has opened a stream which has
///   delivered for a minute. Such attempts are bounded by their pauses: the first is no shorter than `RetryRule.base`.
///
/// These take no token: an attempt that the server has provably not processed, which is sent again once; the replay after a login; the
/// wait for the network; a command that a responder tries again; a stream that is opened again after an element. A kept connection that
/// has ended before a response proves nothing, so that sending again takes one.
public struct RetryBudget: Sendable, Hashable {
    /// The maximum number of tokens of a host, with which it begins, from 0 to 1,000. With 0, no command is retried.
    public let maximumTokens: Int
    /// How many tokens a success gives back, from 0 to `maximumTokens`; thousandths count, and less doesn't.
    public let tokenRatio: Double
    /// Whether retries take tokens.
    package let isLimited: Bool

    /// Ten retries, and one more for each ten successes.
    ///
    /// - Parameters:
    ///   - maximumTokens: values outside of 0 to 1,000 become the nearest of these.
    ///   - tokenRatio: values below 0 and NaN become 0.
    public init(maximumTokens: Int = 10, tokenRatio: Double = 0.1) {
        self.init(maximumTokens, tokenRatio, isLimited: true)
    }

    private init(_ maximumTokens: Int, _ tokenRatio: Double, isLimited: Bool) {
        self.maximumTokens = min(max(0, maximumTokens), 1_000)
        self.tokenRatio = tokenRatio > 0 ? min(tokenRatio, Double(self.maximumTokens)) : 0
        self.isLimited = isLimited
    }

    /// No limit: each command has all attempts of its retry rule, in an outage too. For hosts of your own, or in tests.
    public static let unlimited = RetryBudget(1_000, 1, isLimited: false)
}

/// The arithmetic of one host's tokens. A balance is counted in thousandths of a token.
extension RetryBudget {
    /// The parts of a token that are counted.
    package static let token = 1_000

    /// The balance with which a host begins, which is its greatest.
    package var fullBalance: Int { maximumTokens * Self.token }

    /// What a success gives.
    package var deposit: Int { Int(tokenRatio * Double(Self.token) + 0.5) }

    /// The balance after the token of a retry was taken; nil if there is none.
    package func withdrawn(from balance: Int) -> Int? {
        guard balance >= Self.token else { return nil }
        return balance - Self.token
    }

    /// The balance with an amount more.
    package func added(_ amount: Int, to balance: Int) -> Int { min(fullBalance, balance + amount) }
}
