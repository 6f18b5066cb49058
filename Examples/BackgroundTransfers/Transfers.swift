import Foundation
import FriendsClient
import UIKit
import VideoClient

// The examples of docs/background-transfers.md. Only Apple's systems have background sessions, so `scripts/check-apple` type-checks
// the examples.

/// The object that an app creates once, when it starts.
@MainActor final class Transfers {
    static let background = BackgroundTransfers(identifier: "com.example.transfers")
}

func saveVideo(_ video: Video, to file: URL, in background: BackgroundTransfers) async throws(Video.PreloadVideoFailure)
{
    try await video.download(Video.PreloadVideo(videoID: "v7"), to: file, in: background, id: "video-v7")
}

func changePhoto(_ friends: Friends, to image: URL, in background: BackgroundTransfers) async throws {
    let photo = FilePart(try .file(at: image), fileName: "me.jpg")
    let user = try await friends.send(Friends.ChangePhoto(photo: photo), in: background, id: "photo-2026-03-01")
    show(user)
}

func resumePhotos(_ friends: Friends, in background: BackgroundTransfers) async {
    for transfer in background.transfers where transfer.endpoint == "Friends.changePhoto" {
        do {
            show(try await friends.resume(Friends.ChangePhoto.self, in: background, id: transfer.id))
        } catch {
            show(error)
        }
    }
}

final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        Transfers.background.handleEvents(completionHandler)
    }
}

func showProgress(in background: BackgroundTransfers) async {
    for await state in background.progress(of: "video-v7") {
        print(state.fraction ?? 0)
    }
}

func show(_ user: Friends.ChangePhoto.Response) {}
func show(_ failure: Friends.ChangePhoto.Failure) {}
