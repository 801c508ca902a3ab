package hooksfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/dockeragent"
)

// writer is a text whose lines come from lines of a file.
type writer struct {
	strings.Builder
	from []int
}

func (w *writer) line(from int, format string, args ...any) {
	for l := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		w.WriteString(l + "\n")
		w.from = append(w.from, from)
	}
}

func (f *file) write(w *writer, h *hook) {
	put := func(format string, args ...any) { w.line(h.line, "    "+format, args...) }
	number := slices.Index(f.hooks, h) + 1
	id := strings.TrimPrefix(f.name+".", ".")
	w.line(h.line, "  - id: %s%s%d", id, strings.TrimPrefix(h.event+".", "."), number)
	if h.name != "" {
		put("about: %s", quoted(h.name))
	}
	if h.event != "" {
		put("on: %s", h.event)
	}
	if !h.all || h.agent != "" {
		put("match:")
		if !h.all {
			put("  tool: %s", list(h.tools))
		}
		if h.agent != "" {
			put("  agent: [%s]", quoted(h.agent))
		}
	}
	switch h.kind {
	case "command":
		f.command(put, h)
	case "builtin":
		put("use: %s", quoted(h.command))
		if with := options(h.command, h.args); with != "" {
			put("with: %s", with)
		}
	case "model":
		endpoint, name, _ := f.endpointOf(h.model)
		put("model:\n      %s\n      model: %s\n      prompt: %s", endpoint, quoted(name), quoted(h.prompt))
		if h.schema != "" {
			put("  schema: %s", quoted(h.schema))
		}
	}
	if h.kind != "builtin" && h.timeout != usual {
		put("timeout: %ds", h.timeout)
	}
	if kind, ok := trammel.ParseKind(h.event); h.kind == "command" && ok && dockeragent.Dialect.FailsClosed(kind) {
		return // then a failure denies, whatever on_error says
	}
	if h.onError != "" || h.kind != "builtin" {
		put("on_error: %s", orWarn(h.onError))
	}
}

func orWarn(onError string) string {
	return cmp.Or(onError, "warn")
}

// command writes a program. It inherits all variables, as it does there.
// Variables and directories that refer to others are left to the shell.
func (f *file) command(put func(string, ...any), h *hook) {
	var before strings.Builder
	if h.dir != "" {
		fmt.Fprintf(&before, "cd -- %s || exit 1\n", expanded(h.dir))
	}
	env := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(h.env)) {
		if value := h.env[name]; strings.Contains(value, "${env.") {
			fmt.Fprintf(&before, "export %s=%s\n", name, references(value))
		} else {
			env[name] = value
		}
	}
	text := before.String() + strings.TrimRight(h.command, "\n")
	if strings.Contains(text, "\n") && !strings.HasPrefix(text, " ") {
		put("run: |-\n      %s", strings.ReplaceAll(text, "\n", "\n      "))
	} else {
		put("run: %s", quoted(text))
	}
	put("dialect: %s", dockeragent.Host.System)
	put(`pass: "*"`)
	if len(env) > 0 {
		put("env:")
		for _, name := range slices.Sorted(maps.Keys(env)) {
			put("  %s: %s", name, quoted(env[name]))
		}
	}
	if h.strict {
		put("strict_output: true")
	}
	if f.grant && (h.event == "pre_tool_use" || h.event == "permission_request") {
		put("may: grant")
	}
}

// references is a value for the shell in which only ${env.NAME} refers to a
// variable.
func references(value string) string {
	var b strings.Builder
	for value != "" {
		plain, rest, found := strings.Cut(value, "${env.")
		if plain != "" {
			b.WriteString("'" + strings.ReplaceAll(plain, "'", `'\''`) + "'")
		}
		name, after, closed := strings.Cut(rest, "}")
		if found && closed {
			b.WriteString(`"${` + name + `}"`)
		}
		value = after
	}
	return b.String()
}

// expanded is a directory for the shell, in which ~, $NAME, ${NAME} and
// ${env.NAME} refer to variables.
func expanded(dir string) string {
	dir = strings.NewReplacer("${env.", "${", `\`, `\\`, `"`, `\"`, "`", "\\`", "$(", `\$(`).Replace(dir)
	if dir == "~" || strings.HasPrefix(dir, "~/") {
		dir = "$HOME" + dir[1:]
	}
	return `"` + dir + `"`
}

// options are those of a policy, for the arguments of the built-in.
func options(name string, args []string) string {
	if len(args) == 0 {
		return ""
	}
	n, err := strconv.Atoi(args[0])
	switch {
	case name == "add_prompt_files":
		return "{files: " + list(args) + "}"
	case name == "add_context":
		return "{templates: " + list(args) + "}"
	case name == "add_git_diff" && args[0] == "full":
		return "{full: true}"
	case name == "add_recent_commits" && err == nil && n > 0:
		return fmt.Sprintf("{count: %d}", n)
	case name == "max_iterations" && err == nil:
		return fmt.Sprintf("{max: %d}", n)
	case name == "http_post" && len(args) > 1:
		return "{url: " + quoted(args[0]) + ", body: " + quoted(args[1]) + "}"
	case name == "http_post":
		return "{url: " + quoted(args[0]) + "}"
	}
	return ""
}

func list(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, quoted(t))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
