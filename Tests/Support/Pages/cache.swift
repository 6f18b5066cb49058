import NewsClient

let news = News()

func show(_ articles: [String]) {}
func note(_ text: String) {}
