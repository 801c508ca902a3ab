package windows

import (
	"path"
	"strings"
)

// function is a command that the script defines itself.
type function struct {
	params []string
	body   string
	runs   bool // it is running: it may call itself
}

// define notes function name($a, $b) { … }, with the parameters there or in a
// param block.
func (r *reader) define(items []item) {
	if len(items) < 3 || !items[len(items)-1].block {
		return
	}
	name, list, _ := strings.Cut(items[1].raw, "(")
	body := items[len(items)-1].raw
	if len(items) > 3 && list == "" {
		list = items[2].raw
	}
	r.function(strings.ToLower(name), list, body)
}

// function notes a block as a command with the parameters of a list, or of its own
// param block.
func (r *reader) function(name, list, body string) {
	if rest := strings.TrimSpace(body); list == "" && len(rest) > 5 && strings.EqualFold(rest[:5], "param") {
		list, _, _ = strings.Cut(rest, ")")
	}
	f := function{body: body}
	for part := range strings.SplitSeq(list, ",") {
		if _, param, ok := strings.Cut(part, "$"); ok {
			end := 0
			for end < len(param) && isName(param[end]) {
				end++
			}
			f.params = append(f.params, strings.ToLower(param[:end]))
		}
	}
	if r.functions == nil {
		r.functions = map[string]function{}
	}
	if r.fits(len(r.functions), "functions") {
		r.functions[name] = f
	}
}

// invoke runs a function of the script with its arguments, by place and by name.
func (r *reader) invoke(name string, items []item, in value) (out value, ok bool) {
	f, ok := r.functions[name]
	if !ok || f.runs || len(items) == 1 && !in.network {
		return value{}, ok && len(items) == 1 // without arguments it does what it did where it was defined
	}
	if !r.h.Spend(len(f.body) + 64) { // functions that call each other twice double their work with each step
		r.h.Doubt("size", name)
		return value{}, true
	}
	f.runs = true
	r.functions[name] = f
	args, next := value{known: true}, 0
	for n := 1; n < len(items); n++ {
		if items[n].bare && items[n].raw == "," {
			continue
		}
		v := items[n].value
		if items[n].block {
			v = value{text: items[n].raw, known: true, code: true}
		}
		if t := strings.ToLower(items[n].raw); items[n].bare && len(t) > 1 && t[0] == '-' && n+1 < len(items) {
			for _, param := range f.params {
				if strings.HasPrefix(param, t[1:]) {
					r.set(param, items[n+1].value)
				}
			}
			n++
			continue
		}
		if next < len(f.params) {
			r.set(f.params[next], v)
		}
		next++
		args.list = append(args.list, v)
	}
	r.set("args", args)
	r.set("input", in)
	out = r.block(f.body, in)
	f.runs = false
	r.functions[name] = f
	return out, true
}

// alias notes another name for a command: Set-Alias x iex, with options or without.
func (r *reader) alias(items []item) {
	name, to := r.named(items, "-name", 0), r.named(items, "-value", 1)
	if !name.known || !to.known || name.text == "" {
		r.h.Doubt("code", joined(items))
		return
	}
	if r.aliases == nil {
		r.aliases = map[string]string{}
	}
	if r.fits(len(r.aliases), "aliases") {
		r.aliases[strings.ToLower(name.text)] = strings.ToLower(to.text)
	}
}

// named is the value of an option, or the n-th operand.
func (r *reader) named(items []item, option string, n int) value {
	if hasOption(items, option) {
		return r.option(items, option)
	}
	return r.operand(items, n)
}

// found is the command that Get-Command finds by a pattern, if it is one that runs
// code.
func found(pattern string) (name string, ok bool) {
	for _, name := range [...]string{"invoke-expression", "iex", "invoke-command", "start-process", "remove-item", "invoke-webrequest",
		"invoke-restmethod"} {
		if ok, _ := path.Match(strings.ToLower(pattern), name); ok {
			return name, true
		}
	}
	return "", false
}

// with runs a block with arguments.
func (r *reader) with(body string, args []item, in value) value {
	const block = "{}"
	outer := r.functions[block]
	r.function(block, "", body)
	out, ok := r.invoke(block, append([]item{{}}, args...), in)
	if !ok {
		out = r.script(body, in)
	}
	r.functions[block] = outer
	return out
}

// after are the items behind an option whose name begins so.
func after(items []item, option string) []item {
	for n := range items {
		if items[n].bare && strings.HasPrefix(strings.ToLower(items[n].raw), option) {
			return items[n+1:]
		}
	}
	return nil
}
