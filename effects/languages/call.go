package languages

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/languages/within"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// member returns the meaning of a name after a value.
func (w *walker) member(v value, name string) value {
	kind := ""
	switch v.kind {
	case nameValue:
		out := w.memberOf(v.ref, name)
		if out.kind == nameValue && v.recv != nil {
			out.recv = v.recv
		}
		return out
	case anyValue:
		if len(v.list) > 0 && len(v.list) <= maxChoice && !v.more {
			out := value{kind: anyValue, net: v.net}
			for _, one := range v.list {
				out.add(w.member(one, name))
			}
			return out
		}
	case objectValue:
		kind = v.ref
		if v.isPath() && name == "parent" {
			return dirname(v)
		}
		if v.isPath() && name == "path" { // of what os.scandir lists
			return v
		}
		if v.isPath() && v.glob && name == "name" {
			return value{kind: textValue, text: path.Base(v.text), glob: true}
		}
		if v.isPath() && has(" name stem suffix parts parents ", name) {
			return value{}
		}
	case textValue, numberValue:
		kind = "text"
	case listValue:
		kind = "list"
	case contentValue:
		kind = "content"
	}
	if f, ok := v.field(name); ok {
		return f
	}
	recv := v
	return value{kind: nameValue, ref: kind + "#" + name, recv: &recv, net: v.net}
}

// memberOf is a member of a module, a type or a function by name.
func (w *walker) memberOf(ref, name string) value {
	full := ref + "." + name
	switch {
	case has(" to_proc curry unbind toString ", name) && w.risky(named(ref)):
		return named(ref)
	case len(full) > maxAhead:
		return value{}
	case full == w.lang.arguments:
		return w.vars[full]
	case has(w.lang.scopes, ref):
		return w.valueOf(name)
	case within.Setting(w.lang.values, ref[:max(0, strings.LastIndexByte(ref, '.'))]) == "env" && w.row(full) == "": // ENV.to_h.inspect
		return w.environment()
	case within.Setting(w.lang.values, ref) == "env" && w.row(full) == "":
		return w.variable(name)
	}
	if v, ok := w.constant(full); ok {
		return v
	}
	if w.lang.canonical != nil {
		full = w.lang.canonical(full)
	}
	return named(full)
}

// constant returns the value of a name for a text, a directory or the environment.
func (w *walker) constant(name string) (value, bool) {
	switch what := within.Setting(w.lang.values, name); {
	case what == "" || what != "env" && w.tok().Is("("):
		return value{}, false
	case what == "env": // as a whole, unless one variable of it is meant
		t := w.tok()
		if !(t.Kind == lex.Mark && has(w.lang.members, t.Text)) && !t.Is("[") && !t.Is("{") && !w.assignAhead() {
			w.environment()
		}
		return named(name), true
	case what == "unknown":
		return value{}, true
	case what == "here":
		return w.workDir(), true
	case what == "home":
		return w.homeDir(), true
	default:
		return known(what), true
	}
}

// callbackParams returns the arguments with which a call invokes its callback.
func (w *walker) callbackParams(v value) []value {
	if v.kind != nameValue {
		return nil
	}
	name := v.ref[strings.LastIndexAny(v.ref, "#.")+1:]
	switch {
	case v.recv != nil && has(" forEach map filter some every find flatMap each ", name):
		return []value{v.recv.element()}
	case v.recv != nil && name == "then":
		return []value{*v.recv}
	case strings.HasSuffix(v.ref, ".then"): // import("fs").then
		return []value{named(strings.TrimSuffix(v.ref, ".then"))}
	case v.net || strings.HasPrefix(w.row(v.ref), "visit") || strings.HasPrefix(w.row(v.ref), "requested"):
		w.fetched = true
		return []value{{net: true, src: "response"}, {net: true}}
	}
	return nil
}

// invoke makes a call: it lists what the call does and returns its value.
func (w *walker) invoke(v value, args arguments) value {
	switch {
	case v.kind == listValue && len(v.list) > 0: // (0, eval)(x), [$object, 'method']()
		return w.invoke(v.list[len(v.list)-1], args)
	case v.kind == anyValue && len(v.list) <= maxChoice && !v.more:
		var out value
		for i, one := range v.list {
			if got := w.invoke(one, args); i == 0 {
				out = got
			} else {
				out = either(out, got)
			}
		}
		return out
	case v.kind == textValue: // $f = 'system'; $f('ls')
		v = named(v.text)
	case v.kind == unknownValue && strings.HasPrefix(v.src, "$") || v.kind == anyValue: // $f('ls')
		w.doubtCode(v.src)
	}
	if v.kind != nameValue {
		w.handedOn("", &args)
		w.givenSecrets(v.src, &args)
		return value{net: v.net && len(args.list) > 0 || args.net()}
	}
	if v.ref == reflected {
		w.doubtCode(v.src)
		return value{}
	}
	ref := v.ref
	if w.lang.canonical != nil {
		ref = w.lang.canonical(ref)
	}
	row := w.row(ref)
	if row == "" {
		ref = applied(ref, &args)
		row = w.row(ref)
	}
	for rest := ref; row == "" && strings.Contains(rest, "."); { // aiofiles.os.remove
		_, rest, _ = strings.Cut(rest, ".")
		if strings.Contains(rest, ".") && w.row(rest) != "" {
			ref, row = rest, w.row(rest)
		}
	}
	if at := strings.LastIndexByte(ref, '.'); row == "" && at > 0 && v.recv == nil { // a method of something unknown
		if row = w.row("#" + ref[at+1:]); row != "" {
			v.recv = &value{kind: nameValue, ref: ref[:at], src: ref[:at]}
		}
	}
	if v.net { // a function that is handed on to what a host sends: .then(eval)
		for _, a := range args.list {
			if a.kind == nameValue && strings.HasPrefix(w.row(a.ref), "eval") {
				w.eval(value{net: true})
			}
		}
	}
	if v.recv != nil && v.recv.kind == textValue && len(args.list) > 0 && w.risky(args.list[0]) {
		w.invoke(args.list[0], arguments{list: []value{*v.recv}})
	}
	if base, ok := strings.CutSuffix(ref, ".bind"); ok && row == "" {
		if len(args.list) > 1 {
			w.invoke(named(base), arguments{list: args.list[1:]})
		}
		return named(base)
	}
	if row != "" {
		if out, ok := w.carryOut(row, &call{ref: ref, recv: v.recv, arguments: args}); ok {
			return out
		}
	}
	if f := w.handedOn(ref, &args); f.kind == nameValue {
		return f
	}
	w.givenSecrets(ref, &args)
	w.unknownCall(ref, &args)
	if v.recv != nil && (v.recv.kind == contentValue || v.recv.kind == objectValue && v.recv.ref != "function" && !v.recv.isPath()) {
		return *v.recv
	}
	return value{net: v.net || v.recv != nil && v.recv.net || args.net(), environ: respelled(ref, v.recv, &args)}
}

// reflected is the name of a function whose name is unknown.
const reflected = "?"

// carryOut does what a row says. It reports false if none of it applies.
func (w *walker) carryOut(row string, c *call) (out value, ok bool) {
	for row != "" {
		var step string
		step, row, _ = strings.Cut(row, ";")
		words := strings.Fields(step)
		c.ops = words[1:]
		v, did := w.do(c, words[0])
		if v.kind != unknownValue || v.net || v.src != "" {
			out = v
		}
		ok = ok || did
	}
	return out, ok
}

// handedOn is for functions that are arguments of a call that is not known: a
// pool or a thread that runs them. What they are called with is taken from
// what follows them, or from any text that is a command. The result is the last
// one, which the call may give back.
func (w *walker) handedOn(ref string, args *arguments) (last value) {
	for i, f := range args.list {
		if w.lang.callsAny && f.kind == textValue && !strings.Contains(f.text, ".") && commandAmong(args.list) != nil {
			f = named(f.text) // a function by its name
		}
		if w.risky(f) {
			given := args.list[i+1:]
			if line := commandAmong(args.list); line != nil {
				given = []value{*line}
			} else if len(given) == 0 {
				last = f
			}
			w.handOver(ref, f, given)
		}
	}
	if f, ok := args.at(-1, "target", "func", "fn", "callback"); ok && w.risky(f) {
		list, _ := args.at(-1, "args")
		w.handOver(ref, f, list.list)
	}
	return last
}

func (w *walker) handOver(ref string, f value, list []value) {
	if len(list) == 0 || w.depth >= maxNest/2 {
		w.doubtCode(f.ref)
		return
	}
	if list[0].kind == listValue && strings.HasSuffix(ref, "map") {
		list = []value{list[0].element()}
	}
	w.depth++
	w.invoke(f, arguments{list: list})
	w.depth--
}

// commandAmong finds a text that is a command line among values; nil if there is
// none.
func commandAmong(list []value) *value {
	for i := range list {
		if list[i].kind == textValue && recipes.IsCommand(list[i].text) {
			return &list[i]
		} else if found := commandAmong(list[i].list); found != nil {
			return found
		}
	}
	return nil
}

// risky reports whether a value is a function that does something that must not
// go unseen.
func (w *walker) risky(f value) bool {
	if f.kind != nameValue || !strings.Contains(f.ref, ".") && !has(" eval exec execSync system passthru shell_exec popen assert ", f.ref) {
		return false
	}
	verb, _, _ := strings.Cut(w.row(f.ref), " ")
	return has(" delete tree move shell run exec start system eval ", verb)
}

// applied is the function that f.call(this, x) and f.apply(this, [x]) call.
func applied(ref string, args *arguments) string {
	at := strings.LastIndexByte(ref, '.')
	if at <= 0 {
		return ref
	}
	base, how := ref[:at], ref[at+1:]
	switch {
	case has(" __call__ invoke __invoke ", how) || how == "call" && !strings.Contains(base, "."):
	case how == "apply" && len(args.list) > 1 && args.list[1].kind == listValue:
		args.list = args.list[1].list
	case (how == "apply" || how == "call") && len(args.list) > 0:
		args.list = args.list[1:]
	case how != "apply" && how != "call":
		return ref
	}
	return base
}

// calledWith returns the arguments of a function that the program defines, if they
// are written out. Its body is read where it is defined, with the arguments of its
// calls. If calls differ, a parameter may have any of these values.
func (w *walker) calledWith(name string) []value {
	if w.calls == nil {
		w.calls = callSites(w.tokens)
	}
	var out []value
	for n, i := range w.calls[name] {
		at, k := 0, i+2
		for k < len(w.tokens) && k < i+maxAhead && n < maxCalls {
			if w.tokens[k].Is(",") {
				at, k = at+1, k+1
				continue
			}
			v, end := w.writtenOut(k)
			if end == 0 {
				break
			}
			out, k = mayBe(out, at, v), end
		}
		if k < len(w.tokens) && !w.tokens[k].Is(")") {
			out = mayBe(out, at, value{src: name + "(…)"})
		}
	}
	return out
}

// writtenOut is the value at a token that is a text, a list of texts, or a variable that is
// set once, to one of these; and where it ends, 0 if it is nothing of this.
func (w *walker) writtenOut(k int) (v value, end int) {
	switch t := &w.tokens[k]; {
	case t.Kind == lex.Text && t.Parts == nil:
		return known(t.Text), k + 1
	case t.Kind == lex.Name:
		v, known := w.vars[t.Text]
		if known = known && (v.kind == textValue || v.kind == listValue); known && w.settings(t.Text) == 1 {
			return v, k + 1
		}
	case t.Is("["):
		v = listOf(nil)
		for end = k + 1; end < len(w.tokens) && end < k+maxAhead && !w.tokens[end].Is("]"); {
			if w.tokens[end].Is(",") {
				end++
				continue
			}
			item, next := w.writtenOut(end)
			if next == 0 {
				return value{}, 0
			}
			v.add(item)
			end = next
		}
		return v, end + 1
	}
	return value{}, 0
}

// settings is how often a program sets a variable.
func (w *walker) settings(name string) (n int) {
	for i := range len(w.tokens) - 1 {
		t, next := &w.tokens[i], &w.tokens[i+1]
		if t.Kind == lex.Name && t.Text == name && strings.HasSuffix(next.Text, "=") && next.Kind != lex.Text {
			n++
		}
	}
	return n
}

// mayBe adds a value that the parameter at may have.
func mayBe(list []value, at int, v value) []value {
	for len(list) < at {
		list = append(list, value{})
	}
	if len(list) == at {
		return append(list, v)
	}
	list[at] = either(list[at], v)
	return list
}

// callSites are the places where functions are called.
func callSites(tokens []lex.Token) map[string][]int {
	out := map[string][]int{}
	for i := 0; i+2 < len(tokens); i++ {
		t := &tokens[i]
		if t.Kind == lex.Name && tokens[i+1].Is("(") && len(out[t.Text]) <= maxCalls &&
			(i == 0 || tokens[i-1].Kind != lex.Name || !has(" def function sub ", tokens[i-1].Text)) {
			out[t.Text] = append(out[t.Text], i)
		}
	}
	return out
}
