package windows

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/model"
)

// canonical returns the main name of a command that has several. A name that is
// also a program's is not changed, unless an option shows which one is meant.
func canonical(name string, items []item) string {
	name = strings.TrimSuffix(name[strings.LastIndexAny(name, `\/`)+1:], ".exe")
	cmdlet, prompt := false, false // options of PowerShell, and of cmd
	for n := 1; n < len(items); n++ {
		cmdlet = cmdlet || items[n].bare && len(items[n].raw) > 2 && items[n].raw[0] == '-' && items[n].raw[1] != '-'
		prompt = prompt || len(items[n].text) == 2 && items[n].text[0] == '/' || isSwitches(items[n].text)
	}
	if to := Alias(name); to != name {
		return to
	}
	switch name {
	case "rmdir":
		if prompt {
			return "rd"
		}
	case "find":
		if prompt {
			return "findstr"
		}
	}
	if !cmdlet {
		return name
	}
	switch name {
	case "del", "erase", "rd", "rmdir":
		return "remove-item"
	case "copy", "cp":
		return "copy-item"
	case "move", "mv":
		return "move-item"
	case "ren":
		return "rename-item"
	case "dir":
		return "get-childitem"
	case "sc":
		if hasOption(items, "-value", "-path", "-literalpath") {
			return "set-content"
		}
	case "start":
		return "start-process"
	case "curl", "wget":
		if hasOption(items, "-outfile", "-uri", "-usebasicparsing", "-method", "-body", "-infile", "-headers") {
			return "invoke-webrequest"
		}
	}
	return name
}

// Alias returns the full name of a PowerShell command for its short name, unless a
// program has that name, too.
func Alias(name string) string {
	switch name {
	case "iex":
		return "invoke-expression"
	case "iwr":
		return "invoke-webrequest"
	case "irm":
		return "invoke-restmethod"
	case "icm":
		return "invoke-command"
	case "ii":
		return "invoke-item"
	case "saps":
		return "start-process"
	case "sajb":
		return "start-job"
	case "%":
		return "foreach-object"
	case "?":
		return "where-object"
	case "ac":
		return "add-content"
	case "clc":
		return "clear-content"
	case "gc":
		return "get-content"
	case "gci":
		return "get-childitem"
	case "gi":
		return "get-item"
	case "ni":
		return "new-item"
	case "ri":
		return "remove-item"
	case "cpi":
		return "copy-item"
	case "mi":
		return "move-item"
	case "rni":
		return "rename-item"
	case "sp":
		return "set-itemproperty"
	case "rp":
		return "remove-itemproperty"
	case "spps":
		return "stop-process"
	case "spsv":
		return "stop-service"
	case "sl", "chdir":
		return "cd"
	case "type":
		return "get-content"
	case "md":
		return "mkdir"
	case "gwmi":
		return "get-wmiobject"
	case "gcim":
		return "get-ciminstance"
	case "icim":
		return "invoke-cimmethod"
	case "gsv":
		return "get-service"
	case "iwmi":
		return "invoke-wmimethod"
	case "select":
		return "select-object"
	case "ft":
		return "format-table"
	case "fl":
		return "format-list"
	}
	return name
}

// hasOption reports whether an option is there, which may be shortened.
func hasOption(items []item, names ...string) bool {
	for n := 1; n < len(items); n++ {
		for _, name := range names {
			if t := strings.ToLower(items[n].raw); items[n].bare && len(t) > 3 && strings.HasPrefix(name, t) {
				return true
			}
		}
	}
	return false
}

// isBuiltin reports whether cmd takes a switch right behind the name.
func isBuiltin(name string) bool {
	switch name {
	case "del", "erase", "rd", "rmdir", "cmd", "copy", "move", "dir", "type", "format", "start", "xcopy", "attrib", "cmd.exe":
		return true
	}
	return false
}

// own does what the shell itself does: code that is run, the directory, lists of
// files. done is false for programs.
func (r *reader) own(name string, items []item, in value) (out value, done bool) {
	switch name {
	case "invoke-expression", "invoke-command", "start-process", "start-job": // rules can be about these, too
		r.h.Start(append([]model.Word{{Text: name, Known: true}}, r.args(items[1:])...), languages.Start{})
	}
	switch name {
	case "invoke-expression":
		r.code(r.argument(items, in))
		return value{}, true
	case "foreach-object", "where-object", "invoke-command", "start-job", "measure-command", "start-threadjob":
		for n := 1; n < len(items); n++ {
			if !items[n].block && !(items[n].code && items[n].known) {
				continue
			}
			body := items[n].raw
			if !items[n].block {
				body = items[n].text
			}
			if out = r.block(body, in); hasOption(items, "-argumentlist", "-args") {
				out = r.with(body, after(items, "-arg"), in)
			}
		}
		if name == "where-object" {
			out = in
			out.environ = in.picked(items)
			for n := 1; n < len(items); n++ { // Name -eq 'Win32_Process'
				if kind := kindOf(items[n].text); strings.HasPrefix(kind, "win32_") {
					out.kind = kind
				}
			}
			for n := range out.paths {
				out.paths[n].Some = true
			}
		} else if file := r.option(items, "-filepath"); name != "foreach-object" && hasOption(items, "-filepath") {
			r.h.RunFile(PowerShell, file.word())
		}
		return out, true
	case "cd", "set-location", "push-location", "pushd":
		to := r.option(items, "-path", "-literalpath")
		if r.registry = ""; len(to.text) > 4 && strings.EqualFold(to.text[:2], "hk") && strings.Contains(to.text, ":") {
			r.registry = to.text
			return value{}, true
		}
		if to.text != "" {
			r.h.Chdir(r.h.Resolve(r.path(to.word())))
		}
		return value{}, true
	case "start-process":
		r.process(items)
		return value{}, true
	case "start":
		return value{}, r.startCommand(items, in)
	case "write-output", "write-host", "echo":
		v := r.expression(items[1:], in)
		r.show(v)
		return v, true
	case "join-path":
		a, b := r.operand(items, 0), r.operand(items, 1)
		if !a.known || !b.known {
			return value{text: a.text + `\` + b.text}, true
		}
		return known(strings.TrimRight(a.text, `\/`) + `\` + b.text), true
	case "new-object", "out-null", "out-string", "select-object", "sort-object", "convertfrom-json", "convertto-json", "get-unique",
		"format-table", "format-list", "convertto-csv", "convertto-xml", "convertto-html", "out-host", "out-default":
		if name == "new-object" {
			return r.newObject(items), true
		}
		return in, true
	case "forfiles":
		forfiles(items)
	case "get-command", "gcm":
		if name, ok := found(r.operand(items, 0).text); ok {
			return known(name), true
		}
	case "invoke-cimmethod", "invoke-wmimethod":
		r.invokeMethod(items, in)
		return r.start(name, items, in), true
	case "sal", "set-alias", "new-alias", "nal":
		r.alias(items)
		return value{}, true
	}
	return value{}, false
}

// argument returns a command's input: its first argument, or what is piped in.
func (r *reader) argument(items []item, in value) value {
	for n := 1; n < len(items); n++ {
		if items[n].bare && strings.HasPrefix(items[n].raw, "-") {
			continue
		}
		if items[n].block {
			return known(items[n].raw)
		}
		return r.expression(items[n:], in)
	}
	return in
}

// code runs a value as PowerShell.
func (r *reader) code(v value) {
	switch {
	case v.network, !v.known && r.fetched:
		r.h.Code(model.Code{Language: PowerShell, Origin: model.Network})
	case v.known:
		if r.h.Spend(len(v.text)) {
			r.script(v.text, value{})
		}
	default:
		r.h.Code(model.Code{Language: PowerShell, Text: v.text, Origin: model.Inline})
		r.h.Doubt("code", v.text)
	}
}

// option is the value of an option, which may be shortened, or the first operand.
func (r *reader) option(items []item, names ...string) value {
	for n := 1; n+1 < len(items); n++ {
		t := strings.ToLower(items[n].raw)
		for _, name := range names {
			if items[n].bare && len(t) > 1 && strings.HasPrefix(name, t) {
				return items[n+1].value
			}
		}
	}
	return r.operand(items, 0)
}

// operand returns the n-th argument that is not an option. A word after an option
// counts as its value unless it is the last.
func (r *reader) operand(items []item, n int) value {
	for i := 1; i < len(items); i++ {
		if items[i].bare && strings.HasPrefix(items[i].raw, "-") || items[i].block {
			continue
		}
		if n == 0 {
			return items[i].value
		}
		n--
	}
	return value{}
}

// process is Start-Process: a program, and its arguments as one text or several.
func (r *reader) process(items []item) {
	file := value{}
	var args []model.Word
	for n := 1; n < len(items); n++ {
		switch t := strings.ToLower(items[n].raw); {
		case !items[n].bare || !strings.HasPrefix(t, "-"):
			if file.text == "" {
				file = items[n].value
			} else if items[n].raw != "," {
				args = append(args, split(items[n].value)...)
			}
		case strings.HasPrefix("-filepath", t) || strings.HasPrefix("-argumentlist", t) || t == "-args":
		case strings.HasPrefix("-verb", t) || strings.HasPrefix("-windowstyle", t) || strings.HasPrefix("-workingdirectory", t) ||
			strings.HasPrefix("-credential", t) || strings.HasPrefix("-redirectstandardoutput", t):
			n++
		}
	}
	if file.text != "" {
		r.h.Start(append([]model.Word{r.here(file.word())}, args...), languages.Start{})
	}
}

// split cuts a value into words, as a program does with its command line.
func split(v value) (out []model.Word) {
	for _, one := range v.all() {
		s := scanner{r: &reader{batch: true}, text: one.text}
		if !one.known {
			out = append(out, one.word())
			continue
		}
		for !s.done() {
			from, quote := s.at, byte(0)
			for ; s.at < len(s.text) && (quote != 0 || s.text[s.at] != ' '); s.at++ {
				if c := s.text[s.at]; c == '"' && quote == 0 {
					quote = c
				} else if c == quote {
					quote = 0
				}
			}
			if w := strings.Trim(s.text[from:s.at], `"`); w != "" {
				out = append(out, model.Word{Text: w, Known: true, Glob: strings.ContainsAny(w, "*?")})
			}
			s.at++
		}
	}
	return out
}

// startCommand is start of cmd: a title, switches, and a command.
func (r *reader) startCommand(items []item, in value) bool {
	n := 1
	if n < len(items) && strings.HasPrefix(items[n].raw, `"`) {
		n++
	}
	for n < len(items) && strings.HasPrefix(items[n].raw, "/") {
		if strings.EqualFold(items[n].raw, "/d") {
			n++
		}
		n++
	}
	if n < len(items) {
		r.run(items[n:], in)
	} else if n > 1 && n == len(items) && strings.HasPrefix(items[1].raw, `"`) {
		r.h.Start([]model.Word{items[1].word()}, languages.Start{})
	}
	return true
}

// piped lists what happens to files that are piped into a command.
func (r *reader) piped(name string, files []model.Word) {
	op := model.Op(0)
	switch name {
	case "remove-item", "rm", "del", "erase", "rd", "rmdir":
		op = model.Delete
	case "get-content", "cat", "type":
		op = model.Read
	case "clear-content", "set-content":
		op = model.Write
	case "move-item", "mv", "move", "rename-item", "ren":
		op = model.Move
	default:
		return
	}
	for _, w := range files {
		r.h.File(model.File{Op: op, Tree: op == model.Delete, Path: r.h.Resolve(w), Code: true})
	}
}

// result is what a program hands on in a pipe: names of files, or what a host
// has sent.
func (r *reader) result(name string, words []model.Word, in value) value {
	switch name {
	case "get-childitem", "ls", "dir", "get-item", "get-content", "cat", "type":
		if what := r.provided(words[1:]); what != "" {
			return value{environ: what}
		}
		for _, w := range words[1:] {
			if strings.HasPrefix(w.Text, `\\`) && len(w.Text) > 2 && w.Text[2] != '.' && w.Text[2] != '?' {
				in.network = true // \\host\share\file
			}
		}
	}
	switch name {
	case "get-childitem", "ls", "dir", "get-item", "resolve-path":
		return value{paths: r.listing(name, words[1:])}
	case "get-psreadlineoption": // .HistorySavePath
		history := r.environment("appdata", "").text + `\Microsoft\Windows\PowerShell\PSReadLine\ConsoleHost_history.txt`
		return value{paths: []model.Word{r.path(model.Word{Text: history, Known: true})}}
	case "invoke-webrequest", "invoke-restmethod", "curl", "wget", "finger", "nslookup", "resolve-dnsname":
		return value{network: true}
	case "get-wmiobject", "get-ciminstance", "get-cimclass", "get-service", "get-disk", "get-volume":
		return r.instances(name, words[1:])
	}
	return value{network: in.network, kind: in.kind, fields: in.fields}
}

// listing are the files that Get-ChildItem lists.
func (r *reader) listing(name string, args []model.Word) (out []model.Word) {
	var filters []string
	deep := false
	var dirs []model.Word
	for n := 0; n < len(args); n++ {
		t := strings.ToLower(args[n].Text)
		switch {
		case len(t) > 1 && t[0] == '-' && n+1 < len(args) && (strings.HasPrefix("-filter", t) && t != "-f" || strings.HasPrefix("-include", t)):
			n++
			filters = append(filters, args[n].Text)
		case len(t) > 2 && t[0] == '-' && n+1 < len(args) && (strings.HasPrefix("-exclude", t) || strings.HasPrefix("-depth", t) ||
			strings.HasPrefix("-erroraction", t) || t == "-ea" || strings.HasPrefix("-attributes", t)):
			n++
		case t == "" || t[0] == '-' || name == "dir" && len(t) == 2 && t[0] == '/':
			deep = deep || len(t) > 1 && (strings.HasPrefix("-recurse", t) || t == "-s" || t == "/s")
		default:
			dirs = append(dirs, args[n])
		}
	}
	if len(dirs) == 0 {
		dirs = []model.Word{{Text: ".", Known: true}}
	}
	if len(filters) == 0 {
		filters = []string{"*"}
	}
	for _, w := range dirs {
		if name == "get-item" || name == "resolve-path" || w.Glob || !w.Known {
			out = append(out, w)
			continue
		}
		separator := "/"
		if strings.Contains(w.Text, `:\`) {
			separator = `\`
		}
		for _, filter := range filters {
			if deep {
				filter = strings.TrimSuffix("**"+separator+filter, separator+"*")
			}
			out = append(out, model.Word{Text: strings.TrimRight(w.Text, `\/`) + separator + filter, Known: true, Glob: true})
		}
	}
	return out
}
