package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/parse"
)

// maxRounds limits the iterations of a loop over known words.
const maxRounds = 1024

// loop interprets for and select.
func (d *deriver) loop(c *syntax.ForClause, st *state) {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		if l.Init != nil {
			d.number(l.Init, st)
		}
		way, runs := st.copy(), len(d.set.Runs)
		way.perhaps(true)
		d.widen(way, c.Do, l)
		d.stmts(c.Do, way)
		if l.Cond == nil || d.truthOfNumber(l.Cond, way) == compute.Yes {
			d.endless(c, c.Do, runs, st)
		}
		way.left = false
		st.merge(way)
	case *syntax.WordIter:
		items, more := st.args, st.more
		if l.InPos.IsValid() {
			items, more = d.fields(l.Items, st)
		}
		d.rounds(l.Name.Value, items, more || c.Select, c, st)
	}
}

// rounds interprets the body once for each value of the variable.
func (d *deriver) rounds(name string, items []model.Word, more bool, c *syntax.ForClause, st *state) {
	way := st.copy()
	way.perhaps(more || parse.Breaks(c.Do))
	if len(items) > 1 || more {
		d.widen(way, c.Do, nil)
	}
	if more && len(items) == 0 || len(items) > maxRounds {
		if len(items) > maxRounds && !slices.ContainsFunc(items[maxRounds:], compute.NotNumber) {
			items = items[:maxRounds] // the remaining items are treated like these
		} else if len(items) > maxRounds {
			d.doubt("size", "a loop has more rounds than are looked at", st.by)
		}
		items = append(items[:min(len(items), maxRounds):min(len(items), maxRounds)], model.Word{Text: "$" + name})
	}
	for _, item := range items {
		if !d.step() {
			return
		}
		way.set(name, valueOf(item))
		d.stmts(c.Do, way)
	}
	way.left = false
	st.merge(way)
}

// while interprets while and until.
func (d *deriver) while(c *syntax.WhileClause, st *state) {
	if call := parse.Reads(c); call != nil && st.in.text != "" && !c.Until {
		d.lines(call, c, st)
		return
	}
	way, runs := st.copy(), len(d.set.Runs)
	d.widen(way, slices.Concat(c.Cond, c.Do), nil)
	d.stmts(c.Cond, way)
	sure := d.outcomes(c.Cond, way)
	if c.Until {
		sure = sure.Not()
	}
	way.perhaps(sure != compute.Yes)
	d.stmts(c.Do, way)
	if sure == compute.Yes {
		d.endless(c, c.Do, runs, st)
	}
	way.left = false
	st.merge(way)
}

// lines interprets the body once for each line that the loop reads.
func (d *deriver) lines(call *syntax.CallExpr, c *syntax.WhileClause, st *state) {
	way := st.copy()
	way.perhaps(parse.Breaks(c.Do) || !st.in.known)
	rest := st.in
	for range maxRounds {
		if rest.text == "" || !d.step() {
			break
		}
		line, after, _ := strings.Cut(rest.text, "\n")
		way.in = stream{text: line, known: true, network: rest.network, run: rest.run}
		d.call(call, way)
		rest.text = after
		way.in = rest
		d.stmts(c.Do, way)
		rest = way.in
	}
	if rest.text != "" {
		d.doubt("size", "a loop reads more lines than are looked at", st.by)
	}
	if !rest.known || rest.text != "" {
		way.in = stream{run: st.in.run, network: st.in.network}
		d.call(call, way)
		d.stmts(c.Do, way)
	}
	way.left = false
	st.merge(way)
}

// widen makes variables unknown that the loop changes, for all iterations after
// the first.
func (d *deriver) widen(st *state, body []*syntax.Stmt, head syntax.Node) {
	open := func(name string) {
		v, _ := st.lookup(name)
		v.open, v.set = true, true
		if v.array {
			v = value{set: true}
		}
		st.set(name, v)
	}
	visit := func(n syntax.Node) bool {
		if !d.step() {
			return false
		}
		switch n := n.(type) {
		case *syntax.FuncDecl, *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.Stmt:
			return !n.Background
		case *syntax.Assign:
			if n.Name == nil {
				break
			}
			plain := n.Value != nil && !n.Append && n.Index == nil && syntax.ValidName(n.Value.Lit())
			switch v, _ := st.lookup(n.Name.Value); {
			case !plain || !v.known || v.array || v.open || len(v.or) >= maxChoices:
				open(n.Name.Value)
			case v.text != n.Value.Lit() && !slices.Contains(v.or, n.Value.Lit()): // found=true: that, or what it was
				v.or = append(slices.Clip(v.or), n.Value.Lit())
				st.set(n.Name.Value, v)
			}
		case *syntax.BinaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && strings.HasSuffix(n.Op.String(), "=") {
				open(w.Lit())
			}
		case *syntax.UnaryArithm:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.Inc || n.Op == syntax.Dec) {
				open(w.Lit())
			}
		case *syntax.CallExpr:
			if len(n.Args) == 0 {
				return true
			}
			switch n.Args[0].Lit() {
			case "cd", "pushd", "popd":
				st.dirs = compute.AddPlaces(maxChoices/2, st.dirs, st.dir, model.Path{Text: "."})
			case "read", "mapfile", "readarray", "getopts", "printf":
				for _, w := range n.Args[1:] {
					if syntax.ValidName(w.Lit()) {
						open(w.Lit())
					}
				}
			case "shift", "set":
				st.args, st.more = nil, true
			}
		}
		return true
	}
	for _, s := range body {
		syntax.Walk(s, visit)
	}
	if head != nil {
		syntax.Walk(head, visit)
	}
}
