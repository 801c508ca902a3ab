package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// letGo notes that what a function is called with is run as a line of shell: which
// calls there are is not followed.
func (w *walker) letGo(v value) {
	if (v.param || has(" shift @_ $_ $_[0] ", v.src)) && len(w.loose) < maxCalls {
		w.loose = append(w.loose, value{kind: objectValue, ref: "shell"})
	}
}

// callLoose calls functions that were handed on, stored or returned with each text of
// the program that is a command, unless it is only printed: which of them reaches
// which function is not followed.
func (w *walker) callLoose() {
	called := map[string]bool{}
	for _, f := range w.loose {
		if called[f.ref] {
			continue
		}
		called[f.ref] = true
		for i := range w.tokens {
			t := &w.tokens[i]
			if t.kind != textToken || t.parts != nil || !recipes.IsCommand(t.text) || strings.Contains(w.ran+"\x00", "\x00"+t.text+"\x00") ||
				printed(w.tokens[:i]) {
				continue
			}
			if w.left--; w.left <= 0 {
				return
			}
			if f.kind == objectValue {
				w.shell(known(t.text))
			} else {
				w.invoke(f, arguments{list: []value{known(t.text)}})
			}
		}
	}
}

// printed reports whether what follows these tokens is only shown.
func printed(before []token) bool {
	n := len(before)
	if n > 1 && before[n-1].is("(") {
		n--
	}
	return n > 0 && before[n-1].kind == nameToken && has(printers, before[n-1].text)
}
