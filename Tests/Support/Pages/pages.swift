import VideoClient

let video = Video()
