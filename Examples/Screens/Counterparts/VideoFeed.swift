import ErrandUI
import Foundation
import SwiftUI
import UIKit
import VideoClient

// The first document: a video feed with login and images. This file has no command class for each request, no token that is
// refreshed by hand, and no error callback on each screen.

@available(iOS 17.0, tvOS 17.0, *)
struct VideoFeed: View {
    let video: Video
    @Loading private var feed: LoadState<Video.FeedPage>

    init(video: Video) {
        self.video = video
        _feed = Loading { try await video.getFeed(feedID: "popular") }
    }

    var body: some View {
        LoadView($feed) { page in
            List(page.entries, id: \.id) { entry in
                HStack {
                    if let url = entry.images["small"] { Thumbnail(url: url, video: video) }
                    Text(verbatim: entry.title)
                }
            }
        }
    }
}

/// A picture that cannot be loaded doesn't cause an alert. A sign is shown in its place.
@available(iOS 17.0, tvOS 17.0, *)
struct Thumbnail: View {
    @Loading private var bytes: LoadState<[UInt8]>

    init(url: URL, video: Video) {
        let quiet = video.responding(with: Quiet())
        _bytes = Loading { try await quiet.loadImage(imageURL: url) }
    }

    var body: some View {
        LoadView($bytes) { bytes in
            if let image = UIImage(data: Data(bytes)) { Image(uiImage: image) }
        } failed: { _, retry in
            Button("Load", action: retry)
        }
    }
}

/// Says nothing.
struct Quiet: Responder {
    func respond(to incident: Incident) async -> IncidentAnswer { .handled }
}
