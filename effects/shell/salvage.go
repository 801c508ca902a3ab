package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/shell/parse"
)

// maxPieces bounds the pieces of a line that are read on their own.
const maxPieces = 400

// salvage interprets as much as possible of a script that is not valid bash: as
// another shell, or piece by piece.
func (d *deriver) salvage(text, why string, st *state) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(text) <= 64<<10 && d.spend(len(text)) {
		for _, dialect := range [...]syntax.LangVariant{syntax.LangZsh, syntax.LangMirBSDKorn, syntax.LangPOSIX} {
			if parsed := parse.As(text, dialect); parsed.File != nil {
				d.source = text
				d.stmts(parsed.File.Stmts, st)
				return
			}
		}
	}
	d.doubt("syntax", why, st.by)
	if len(text) > 512<<10 {
		text = text[:512<<10]
	}
	text = strings.Map(func(r rune) rune {
		if r == 0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	pieces := 0
	if first, rest, more := strings.Cut(text, "\n"); more {
		if parsed := parse.Bash(first); parsed.File != nil && len(parsed.File.Stmts) == 1 && programs.Waits(parse.Call(parsed.File.Stmts[0])) {
			d.fed(parsed.File.Stmts[0], rest, st)
			return
		}
	}
	for line := range strings.SplitSeq(parse.Placeholders(text), "\n") {
		d.pieces(line, st, &pieces)
	}
}

// pieces reads a line as a whole, or else the parts between its separators.
func (d *deriver) pieces(line string, st *state, n *int) {
	if d.piece(line, st, n) {
		return
	}
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(";&|(){}`", r) }) {
		if !d.piece(part, st, n) {
			d.piece(strings.NewReplacer(`"`, "", "'", "").Replace(part), st, n)
		}
	}
}

func (d *deriver) piece(text string, st *state, n *int) bool {
	if text = strings.TrimSpace(text); text == "" {
		return true
	}
	if *n++; *n > maxPieces || !d.step() || !d.spend(len(text)) {
		d.doubt("size", "it has too many parts that cannot be read", st.by)
		return true
	}
	parsed := parse.Bash(text)
	for parsed.File == nil {
		first, rest, more := strings.Cut(text, " ")
		if !more || !syntax.IsKeyword(first) {
			return false
		}
		text = strings.TrimSpace(rest) // then rm x
		parsed = parse.Bash(text)
	}
	source := d.source
	d.source = text
	way := st.copy()
	way.perhaps(true)
	d.stmts(parsed.File.Stmts, way)
	st.merge(way)
	d.source = source
	return true
}
