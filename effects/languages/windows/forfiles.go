package windows

import "strings"

// forfiles puts what it finds in the place of @file and its like.
func forfiles(items []item) {
	dir, deep, mask := "", "", "*"
	for n := 1; n < len(items); n++ {
		switch option, more := strings.ToLower(items[n].text), n+1 < len(items); {
		case option == "/p" && more:
			dir = strings.TrimRight(items[n+1].text, `\/`) + `\`
		case option == "/m" && more:
			mask = items[n+1].text
		case option == "/s":
			deep = `**\`
		}
	}
	for n := range items {
		for _, name := range [...]string{"@file", "@path", "@relpath", "@fname"} {
			items[n].text = strings.ReplaceAll(items[n].text, name, dir+deep+mask)
		}
	}
}
