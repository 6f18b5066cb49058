import ErrandRuntime
import Foundation
import FriendsClient
import VideoClient

let video = Video()
let friends = Friends(common: Friends.Common(deviceID: "d"))
let image = URL(fileURLWithPath: "/tmp/photo.jpg")
let file = URL(fileURLWithPath: "/tmp/video.mp4")
let download = video.download(Video.PreloadVideo(videoID: "v7"), to: file)
let digest: [UInt8] = []

/// Plays a video while it comes.
enum Player {
    static func append(_ chunk: [UInt8]) {}
}
let player = Player.self
