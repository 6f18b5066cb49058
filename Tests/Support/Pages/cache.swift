import NewsClient

let news = News()
let (caches, data) = ("caches", "data")

func show(_ articles: [String]) {}
func note(_ text: String) {}
