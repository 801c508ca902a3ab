package copilot

import "github.com/trammel-dev/trammel"

// language is one of the host's two, or neither if it is unknown.
type language uint8

const (
	unknown language = iota
	flat
	claude
)

// languageOf finds the language by the name of an event.
func languageOf(name string) language {
	switch e := Host.Event(name); {
	case e == nil:
		return unknown
	case 'A' <= name[0] && name[0] <= 'Z':
		return claude
	}
	return flat
}

// nameIn is the host's name of a kind in a language, "" if it has no such event.
func nameIn(l language, kind trammel.Kind) string {
	for _, e := range Host.Events() {
		if e.Kind == kind && languageOf(e.Name) == l {
			return e.Name
		}
	}
	return ""
}
