package effects

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// isPath reports whether a text names an existing file, or one that could be
// created in an existing directory.
func (w *argumentWalk) isPath(text string) bool {
	if strings.ContainsAny(text, "\n\x00") || len(text) > 4096 {
		return false
	}
	var ground paths.Ground
	if strings.ContainsAny(text, "/._") && !strings.ContainsAny(text, " ?*") && ground.Secret(w.Paths.Resolve(w.Paths.Tilde(text), w.Dir)) {
		return true // even if it does not exist yet when we look
	}
	if strings.IndexByte(text, '/') < 0 {
		return false
	}
	if _, ok := paths.OfAddress(text); ok || strings.HasPrefix(text, "~/") {
		return true
	}
	p := w.Paths.Resolve(w.Paths.Tilde(text), w.Dir)
	if !p.Known() {
		return false
	}
	if _, err := w.Lstat(p.Abs); err == nil {
		return p.Abs != "/"
	}
	dir := path.Dir(p.Abs)
	info, err := w.Lstat(dir)
	return err == nil && dir != "/" && info.Mode()&fs.ModeDir != 0 && !strings.ContainsAny(text, " ?*")
}

// isURL reports whether a text is a URL as a whole.
func isURL(text string) bool {
	scheme, rest, ok := strings.Cut(text, "://")
	return ok && rest != "" && scheme != "file" && len(scheme) < 16 && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz+.-0123456789") == "" &&
		!strings.ContainsAny(text, " \t\n")
}

// isHost reports whether a text is a host, by the argument's name and by its form.
func isHost(name, text string) bool {
	switch strings.ToLower(name) {
	case "host", "hostname", "domain", "server", "endpoint":
		return strings.Contains(text, ".") && strings.Trim(strings.ToLower(text), "abcdefghijklmnopqrstuvwxyz0123456789.-:") == ""
	}
	return false
}

// languageOf returns the language of code in a tool's argument of this name, ""
// if it is not code or the language is unknown.
func languageOf(name, tool string) string {
	switch strings.ToLower(name) {
	case "code", "source_code", "snippet", "source", "src", "cell", "cell_source", "body", "script":
		for word := range words(tool) {
			switch word {
			case "python", "py", "ipython", "jupyter", "notebook":
				return "python"
			case "js", "javascript", "node", "browser", "page", "playwright", "puppeteer":
				return "node"
			case "applescript", "osascript":
				return "applescript"
			case "ruby", "perl", "php", "lua":
				return word
			case "r", "rscript":
				return "r"
			case "powershell", "pwsh":
				return "powershell"
			}
		}
		if strings.HasSuffix(strings.ToLower(tool), "__executecode") { // a cell of an editor's notebook
			return "python"
		}
	case "sql", "sql_query", "sqlquery", "statement", "sql_statement":
		return "sql"
	case "python", "python_code", "pythoncode", "py":
		return "python"
	case "javascript", "js", "js_code", "function", "expression":
		return "node"
	}
	return ""
}

// isProse reports whether an argument of this name contains text for people. What
// such a text mentions does not happen.
func isProse(name string) bool {
	for word := range words(name) {
		switch word {
		case "message", "messages", "description", "title", "body", "summary", "comment", "comments", "note", "notes", "prompt", "name", "label",
			"labels", "reason", "instructions", "thought", "thoughts", "thinking", "question", "answer", "subject", "caption", "markdown", "html",
			"todo", "todos", "task", "tasks", "plan", "explanation", "value", "content", "contents", "data", "diff", "patch", "output":
			return true
		}
	}
	return false
}

// settingOf is the name of a setting that an object gives a value: {"key": "core.editor",
// "value": "vim"}.
func settingOf(m map[string]any) string {
	if m["value"] == nil {
		return ""
	}
	for _, field := range [...]string{"key", "setting", "variable", "option", "name", "property"} {
		if name, _ := m[field].(string); name != "" && len(name) < 80 && !strings.ContainsAny(name, " \n") {
			return name
		}
	}
	return ""
}

// cloudCall returns the command line that is equivalent to a cloud API call, given
// as a service, an operation and its parameters; "" if it is not one.
func cloudCall(m map[string]any) string {
	service, _ := m["service_name"].(string)
	operation, _ := m["operation_name"].(string)
	if service == "" || operation == "" {
		return ""
	}
	var verb strings.Builder
	for i, c := range operation { // TerminateInstances is terminate-instances
		if unicode.IsUpper(c) && i > 0 {
			verb.WriteByte('-')
		}
		verb.WriteRune(unicode.ToLower(c))
	}
	words := []string{"aws", service, strings.ReplaceAll(verb.String(), "_", "-")}
	parameters, _ := m["parameters"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		words = append(words, "--"+name)
		if text, ok := parameters[name].(string); ok {
			words = append(words, text)
		}
	}
	return trammel.QuoteWords(words)
}

// clientCall returns the command line of a tool that is named after the program to
// which it passes its arguments, as run_gcloud_command; "" if it is not one.
func clientCall(tool string, m map[string]any) string {
	program, verb := clientOf(tool)
	if program == "" {
		return ""
	}
	var args []string
	for _, name := range [...]string{"service", "resource", "tool", "group", "command", "subcommand", "operation", "action"} {
		if text, _ := m[name].(string); text != "" && !strings.ContainsAny(text, " \n/") {
			args = append(args, text)
		}
	}
	given, ok := m["args"]
	if !ok {
		given = m["arguments"]
	}
	switch list := given.(type) {
	case []any:
		args = append(args, texts(list)...)
	case string:
		args = append(args, strings.Fields(list)...)
	default:
		line, _ := m["command"].(string)
		if line == "" {
			line, _ = m["cmd"].(string)
		}
		on := switches(m)
		if m["image"] != nil {
			return "" // containerCall
		}
		if fields := strings.Fields(line); len(fields) > 0 {
			if _, program := programs.Lookup(fields[0]); program { // it is a whole line already
				return ""
			}
			args = fields
		}
		if args = append(args, on...); len(args) < 2 && len(on) == 0 {
			return ""
		}
	}
	switch {
	case len(args) == 0:
		return ""
	case strings.HasPrefix(args[0], "-") && verb != "": // terraform_apply {"args": ["-destroy"]}
		args = append([]string{verb}, args...)
	case args[0] == program:
		args = args[1:]
	}
	return trammel.QuoteWords(append([]string{program}, args...))
}

// clientOf is the program that a tool is named after, and the last word behind that.
func clientOf(tool string) (program, verb string) {
	for word := range words(tool) {
		if program != "" {
			verb = word
			continue
		}
		switch area, _ := programs.ClassOf(&model.Run{Program: word}); {
		case area == "cloud", area == "cluster", area == "container", area == "infrastructure",
			word == "git", word == "npm", word == "psql", word == "redis":
			program = word
		}
	}
	return program, verb
}

// switches are the options that arguments turn on by name: {"force": true} is --force.
func switches(m map[string]any) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if m[name] == true {
			out = append(out, "--"+strings.Join(slices.Collect(words(name)), "-"))
		}
	}
	if m["mode"] == "hard" { // git_reset
		out = append(out, "--hard")
	}
	return out
}

// containerCall returns the command line for a tool that runs a command in a container
// or a pod; "" if it is not one.
func containerCall(tool string, m map[string]any) string {
	runs, inside := false, ""
	for word := range words(tool) {
		switch word {
		case "exec", "execute", "run", "command":
			runs = true
		case "docker", "podman", "container", "containers":
			inside = cmp.Or(inside, "docker exec container ")
		case "kubernetes", "kubectl", "k8s", "pod", "pods", "openshift":
			inside = "kubectl exec pod -- "
		}
	}
	if !runs || inside == "" {
		return ""
	}
	line := trammel.Loose(m).Command
	if list, _ := cmp.Or(m["command"], m["cmd"], m["args"]).([]any); len(list) > 0 && len(texts(list)) == len(list) {
		line = trammel.QuoteWords(texts(list))
	}
	image, _ := m["image"].(string)
	switch {
	case image != "":
		words := append([]string{"docker", "run"}, switches(m)...)
		for _, name := range [...]string{"binds", "volumes", "mounts", "volume"} {
			list, _ := m[name].([]any)
			for _, from := range texts(list) {
				words = append(words, "-v", from)
			}
		}
		return trammel.QuoteWords(append(words, image)) + " " + line
	case line == "":
		return ""
	}
	return inside + line
}

// clusterCall returns the command line for a tool that asks a cluster for resources of
// a kind; "" if it is not one.
func clusterCall(tool string, m map[string]any) string {
	get := func(names ...string) string {
		for _, name := range names {
			if text, _ := m[name].(string); text != "" {
				return text
			}
		}
		return ""
	}
	verb, cluster := "", false
	for word := range words(tool) {
		switch word {
		case "kubectl", "kubernetes", "k8s", "openshift":
			cluster = true
		case "get", "describe", "delete", "list":
			verb = cmp.Or(verb, strings.Replace(word, "list", "get", 1))
		}
	}
	if !cluster {
		return ""
	}
	verb = cmp.Or(get("command", "verb", "operation", "action"), verb)
	kind := get("resourceType", "resource_type", "kind")
	if verb == "" || kind == "" || strings.ContainsAny(verb, " \n") {
		return ""
	}
	line := []string{"kubectl", verb, kind}
	format := get("outputFormat", "output_format", "output")
	if name := get("name"); name != "" {
		line, format = append(line, name), cmp.Or(format, "yaml")
	}
	if format != "" {
		line = append(line, "-o", format)
	}
	return trammel.QuoteWords(line)
}

// taskCall returns the command line for a tool that runs a task of an editor's
// folder, from the folder's list of tasks; "" if it is not one.
func taskCall(tool string, m map[string]any) string {
	folder, _ := m["workspaceFolder"].(string)
	for word := range words(tool) {
		if folder != "" && (word == "task" || word == "tasks") {
			return trammel.QuoteWords([]string{"cd", folder}) + "; code"
		}
	}
	return ""
}

// searches reports whether a tool only searches for the texts it is given, by the
// words of its name. What such texts say does not happen.
func searches(name string) bool {
	found := false
	for word := range words(name) {
		switch word {
		case "search", "find", "grep", "lookup", "match":
			found = true
		case "run", "exec", "execute", "replace":
			return false
		}
	}
	return found
}
