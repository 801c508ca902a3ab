package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/shell/compute"
	"mvdan.cc/sh/v3/syntax"
)

// number evaluates an arithmetic expression, for its value and for what it changes.
func (d *deriver) number(x syntax.ArithmExpr, st *state) (int, bool) {
	a := compute.Arithmetic{
		Step: d.step,
		Word: func(w *syntax.Word) (int, bool) { return d.operand(w, st) },
		Set:  func(name string, n int, known bool) { st.set(name, value{text: itoa(n), known: known, set: true}) },
	}
	return a.Number(x)
}

func (d *deriver) truthOfNumber(x syntax.ArithmExpr, st *state) compute.Truth {
	if n, ok := d.number(x, st); ok {
		return compute.TruthOf(n != 0, true)
	}
	return compute.Unsure
}

func (d *deriver) operand(w *syntax.Word, st *state) (int, bool) {
	v := d.single(w, st)
	text := v.Text
	for range 4 { // a name may stand for a name
		if !v.Known {
			return 0, false
		}
		if n, ok := compute.Integer(text); ok {
			return n, true
		}
		if !syntax.ValidName(text) {
			d.prompt(text, st.by, st) // a[$(ls)]
			return 0, false
		}
		val := d.variable(text, st)
		if !val.known {
			return 0, false
		}
		if text = strings.TrimSpace(val.text); text == "" {
			return 0, true
		}
	}
	return 0, false
}
