import ErrandTransport
import Foundation
import FriendsClient
import VideoClient

let video = Video()
let friends = Friends(common: Friends.Common(deviceID: "d"))
@MainActor let background = Transfers.background
let file = URL(fileURLWithPath: "/tmp/video.mp4")
let image = URL(fileURLWithPath: "/tmp/photo.jpg")

func show(_ user: Friends.ChangePhoto.Response) {}
func show(_ failure: Friends.ChangePhoto.Failure) {}
