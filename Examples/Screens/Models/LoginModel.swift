public import ErrandUI
public import Observation
public import VideoClient

/// A login form. The session tells that a user is logged in.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
@MainActor @Observable public final class LoginModel {
    public var email = ""
    public var password = ""
    /// The text below the password.
    public private(set) var hint: String?
    public private(set) var isSending = false

    @ObservationIgnored private let video: Video

    public nonisolated init(video: Video) { self.video = video }

    public func logIn(errors: ErrorReporter) async {
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        hint = nil
        do throws(Video.LogInFailure) {
            _ = try await video.logIn(email: email, password: password)
        } catch .wrongPassword(let failure) {
            hint = failure.message
        } catch {
            await errors.report(error)
        }
    }
}
