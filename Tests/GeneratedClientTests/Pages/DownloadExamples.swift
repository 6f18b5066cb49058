import ErrandDigests
import ErrandRuntime
import Foundation
import VideoClient

// The examples of docs/downloads.md, as they are there.
func downloadAVideo(_ video: Video, to file: URL) async throws {
    let download = video.download(Video.PreloadVideo(videoID: "v7"), to: file)
    try await download.finish()
}

/// What plays a video while it comes.
protocol ChunkPlayer {
    func append(_ chunk: [UInt8])
}

func play(_ video: Video, on player: some ChunkPlayer) async throws {
    for try await chunk in video.chunks(of: Video.PreloadVideo(videoID: "v7")) {
        player.append(chunk)
    }
}

func downloadAVideo(_ video: Video, to file: URL, with digest: [UInt8]) async throws {
    let download = video.download(Video.PreloadVideo(videoID: "v7"), to: file)
    try await download.finish(checksum: .sha256(digest))
}

func showProgress(of download: Download<Video.PreloadVideo>) async {
    for await state in download.progress {
        print("\r\(state.bytes) of \(state.total.map(String.init) ?? "?")", terminator: "")
    }
}
