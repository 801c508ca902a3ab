package secret

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
)

// RedactValue redacts the secrets in a decoded JSON value, by their shape and
// their keys, and returns how many there were. If a map names a sensitive path,
// the content next to it is redacted completely. v itself is not changed; what
// has no secret in it is shared with the result.
func RedactValue(v any) (any, int) {
	w := walker{sieve: &plain, files: true}
	return w.value(v, nil, false), len(w.found)
}

// RedactContent is RedactValue for the call of a tool on a sensitive path: all
// content and output in it is redacted completely.
func RedactContent(v any) (any, int) {
	w := walker{sieve: &plain, files: true, sensitive: true}
	return w.value(v, nil, false), len(w.found)
}

// FileKind is the kind of content that is redacted because of its file.
const FileKind = "sensitive-file"

// walker goes through a value. rule is what the nearest telling key above
// says; whole means that it is content of a sensitive file.
type walker struct {
	sieve     *Sieve
	found     []Secret
	files     bool // the content of sensitive files goes whole
	sensitive bool
}

func (w *walker) value(v any, rule *keyRule, whole bool) any {
	switch t := v.(type) {
	case string:
		if safe := w.text(t, rule, whole); safe != t {
			return safe
		}
		return v // as it is, which costs nothing
	case map[string]any:
		return w.object(t, rule, whole)
	case []any:
		return w.list(t, rule, whole)
	case int, int64, uint64, float64:
		if rule != nil && rule.trust == strong {
			if n := digits(v); len(n) >= minValue && w.take(rule.kind, n) {
				return w.sieve.mark(rule.kind)
			}
		}
	}
	return v
}

// take notes a secret, unless it is one to spare.
func (w *walker) take(kind, value string) bool {
	if w.sieve.Spare != nil && w.sieve.Spare(kind, value) {
		return false
	}
	w.found = append(w.found, Secret{kind, value})
	return true
}

func (w *walker) text(s string, rule *keyRule, whole bool) string {
	if whole && marked(s) < len(s) && w.take(FileKind, s) {
		return w.sieve.mark(FileKind)
	}
	if rule != nil {
		if from, to, ok := rule.secretPart(s, true); ok {
			kind := specific(s[from:to], rule.kind)
			if w.take(kind, s[from:to]) {
				return s[:from] + w.sieve.mark(kind) + s[to:]
			}
		}
	}
	out, found := w.sieve.Text(s)
	w.found = append(w.found, found...)
	return out
}

func (w *walker) object(m map[string]any, rule *keyRule, whole bool) any {
	sensitive := w.sensitive
	names, named := about(m)
	w.sensitive = w.files && (sensitive || names)
	defer func() { w.sensitive = sensitive }()

	var out map[string]any
	for key, v := range m {
		before := len(w.found)
		safe := w.key(key)
		redacted := w.value(v, ruleIn(key, named, rule), whole || w.sensitive && contentKey(key))
		if len(w.found) == before {
			continue
		}
		if out == nil {
			out = maps.Clone(m)
		}
		if safe != key {
			delete(out, key)
			safe = unused(out, safe)
		}
		out[safe] = redacted
	}
	if out == nil {
		return m
	}
	return out
}

// ruleIn is what is known of the value under a key: what the key says, or the
// name beside it, or what is said above.
func ruleIn(key string, named, above *keyRule) *keyRule {
	if own := ruleOf(key); own != nil {
		return own
	}
	if key == "value" && named != nil {
		return named
	}
	return above
}

// unused returns a key that m does not have: two secrets as keys must not
// become one entry.
func unused(m map[string]any, key string) string {
	free := key
	for n := 2; ; n++ {
		if _, taken := m[free]; !taken {
			return free
		}
		free = key + "#" + strconv.Itoa(n)
	}
}

func (w *walker) key(key string) string {
	if len(key) < 16 { // no shape is that short
		return key
	}
	safe, found := w.sieve.Text(key)
	w.found = append(w.found, found...)
	return safe
}

func (w *walker) list(l []any, rule *keyRule, whole bool) any {
	var out []any
	for i, v := range l {
		r := rule
		if i > 0 && r == nil {
			r = ruleOfOption(l[i-1])
		}
		before := len(w.found)
		redacted := w.value(v, r, whole)
		if len(w.found) > before {
			if out == nil {
				out = slices.Clone(l)
			}
			out[i] = redacted
		}
	}
	if out == nil {
		return l
	}
	return out
}

// ruleOfOption makes ["--password", "…"] what "--password …" is in a text.
func ruleOfOption(v any) *keyRule {
	option, _ := v.(string)
	if name, ok := strings.CutPrefix(option, "--"); ok {
		return ruleOf(name)
	}
	return nil
}

// about looks at what a map says of itself: whether it names a sensitive path,
// and, where it holds a name and a value as lists of variables do, what the
// name says of the value.
func about(m map[string]any) (sensitive bool, named *keyRule) {
	for key, v := range m {
		text, ok := v.(string)
		if !ok {
			continue
		}
		if part, _ := trammel.PartOf(key); part == trammel.PathPart || part == trammel.URLPart {
			sensitive = sensitive || SensitivePath(text)
		} else if (key == "name" || key == "key") && named == nil {
			named = ruleOf(text)
		}
	}
	return sensitive, named
}

// contentKey reports whether hosts keep the content of files, or the output of
// tools, under this key.
func contentKey(key string) bool {
	if part, _ := trammel.PartOf(key); part == trammel.ContentPart {
		return true
	}
	switch key {
	case "contents", "old_string", "oldString", "new_str", "old_str", "insert_text", "newText", "oldText", "edits", "diff",
		"patch", "structuredPatch", "gitDiff", "originalFile", "original_file", "stdout", "stderr", "output", "data", "body",
		"result", "results", "response", "tool_response", "tool_output", "tool_result", "llmContent", "returnDisplay",
		"matches", "lines":
		return true
	}
	return false
}

// digits is a number as it would be written.
func digits(v any) string {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
