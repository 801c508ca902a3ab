package languages

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// letGo notes that what a function is called with is run as a line of shell: which
// calls there are is not followed.
func (w *walker) letGo(v value) {
	if v.param || has(" shift @_ $_ $_[0] ", v.src) {
		w.handOn(value{kind: objectValue, ref: "shell"})
	}
}

// handOn notes a function that is handed on, stored or returned, each once.
func (w *walker) handOn(f value) {
	switch {
	case slices.ContainsFunc(w.loose, func(o value) bool { return o.ref == f.ref }):
	case len(w.loose) < maxCalls:
		w.loose = append(w.loose, f)
	default:
		w.cut = true
	}
}

// callLoose calls functions that were handed on, stored or returned with each text of
// the program that is a command, unless it is only printed: which of them reaches
// which function is not followed.
func (w *walker) callLoose() {
	for _, f := range w.loose {
		for i := range w.tokens {
			t := &w.tokens[i]
			if t.Kind != lex.Text || t.Parts != nil || !recipes.IsCommand(t.Text) || strings.Contains(w.ran+"\x00", "\x00"+t.Text+"\x00") ||
				printed(w.tokens[:i]) {
				continue
			}
			if w.left--; w.left <= 0 {
				return
			}
			if f.kind == objectValue {
				w.shell(known(t.Text))
			} else {
				w.invoke(f, arguments{list: []value{known(t.Text)}})
			}
		}
	}
}

// printed reports whether what follows these tokens is only shown.
func printed(before []lex.Token) bool {
	n := len(before)
	if n > 1 && before[n-1].Is("(") {
		n--
	}
	return n > 0 && before[n-1].Kind == lex.Name && has(printers, before[n-1].Text)
}
