package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/variables"
)

// picksVariable reports whether a filter selects secrets by name from variables or
// settings: env | grep TOKEN, jq -n env.TOKEN, set | awk '/SECRET/'.
func (j *judge) picksVariable(i int) bool {
	r := &j.set.Runs[i]
	var asks func(a effects.Word) bool
	switch r.Program {
	case "grep", "egrep", "fgrep", "ggrep", "rg", "ag", "ack", "ugrep", "select-string", "findstr", "where-object":
		w := programs.Parse(r)
		if w.Has("v", "invert-match", "notmatch") || w.Has("o", "only-matching") && !mentions(r.Args, "=") || j.hidden(i) {
			return false
		}
		asks = func(a effects.Word) bool {
			return model.SecretNamed(a.Text) != "" || strings.EqualFold(strings.Trim(a.Text, "^_=.*"), "key")
		}
	case "sed", "gsed":
		asks = func(a effects.Word) bool { return strings.HasSuffix(a.Text, "/p") && model.SecretNamed(a.Text) != "" }
	case "awk", "gawk", "mawk", "nawk":
		if namesOnly(r.Args) {
			return false
		}
		asks = func(a effects.Word) bool { return model.SecretNamed(a.Text) != "" }
	case "jq", "gojq", "jaq", "yq", "nu":
		if j.hidden(i) {
			return false
		}
		asks = func(a effects.Word) bool { return strings.Contains(a.Text, ".") && model.SecretNamed(a.Text) != "" }
	default:
		return false
	}
	for _, a := range r.Args {
		if asks(a) {
			return j.set.Dumps(i) || mentions(r.Args, "ENVIRON[") || j.dumpBefore(i)
		}
	}
	return false
}

// picksPlain reports whether a filter takes variables by a name that is not that of a
// secret: env | grep NODE_ENV.
func (j *judge) picksPlain(i int) bool {
	r := &j.set.Runs[i]
	switch r.Program {
	case "grep", "egrep", "fgrep", "rg", "select-string", "findstr":
		w := programs.Parse(r)
		for i := range w.Given { // others print more lines, or take another pattern
			if !slices.Contains([]string{"i", "w", "x", "E", "F", "o", "q", "c", "n", "ignore-case", "simplematch", "pattern"}, w.Given[i].Name) {
				return false
			}
		}
		name := strings.Trim(w.Word(0), "^=")
		return len(w.Operands) == 1 && len(name) > 2 && variables.Plain(strings.ToUpper(name)) &&
			strings.Trim(strings.ToUpper(name), "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
	}
	return false
}

// dumpBefore reports whether what a run is given are variables or settings with
// their values: what a run before it in the pipe prints, or one that this starts.
func (j *judge) dumpBefore(i int) bool {
	for k, n := j.set.Runs[i].From, 0; k >= 0 && n < len(j.set.Runs); k, n = j.set.Runs[k].From, n+1 {
		if j.dumps(k) {
			return true
		}
		if j.hidden(k) || namesOnly(j.set.Runs[k].Args) {
			return false
		}
		for inner := k + 1; inner < i; inner++ { // sudo env, docker exec app env
			if j.set.Runs[inner].By == k && j.dumps(inner) {
				return true
			}
		}
	}
	return false
}

// picksInCode reports whether code that iterates over all variables selects secrets
// by name: [v for k, v in os.environ.items() if "TOKEN" in k].
func (j *judge) picksInCode(run int) bool {
	r := &j.set.Runs[run]
	for _, a := range r.Args {
		if model.SecretNamed(a.Text) == "" || !strings.Contains(a.Text, "for ") && !strings.Contains(a.Text, "entries(") &&
			!strings.Contains(a.Text, "each") && !strings.Contains(a.Text, "select") && !strings.Contains(a.Text, "filter") &&
			!strings.Contains(a.Text, "grep") {
			continue
		}
		for _, sign := range [...]string{".test(", "' in ", "\" in ", "=~", ".match(", ".includes(", "startswith(", "startsWith(", "endswith(",
			"endsWith(", "include?", "re.search(", "re.match(", "preg_match", "str_contains", "grepl(", "start_with?", "end_with?", "grep {"} {
			if strings.Contains(a.Text, sign) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether one of the arguments has a text in it.
func mentions(args []effects.Word, text string) bool {
	for _, a := range args {
		if strings.Contains(a.Text, text) {
			return true
		}
	}
	return false
}
