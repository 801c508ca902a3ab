package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/internal/lex"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// inCode judges inline code by its calls of client libraries for services and
// databases: boto3.client("s3").delete_bucket(…), db.dropDatabase().
func (j *judge) inCode(i int) {
	r := &j.set.Runs[i]
	language := programs.Language(r)
	if language == "" || language == "redis" || language == "mongo" {
		return
	}
	for _, a := range r.Args[:min(len(r.Args), 16)] {
		j.calls(a.Text, language == "ruby")
		if lower := strings.ToLower(a.Text); language == "applescript" && (strings.Contains(lower, "delete every ") ||
			strings.Contains(lower, "delete (every ") || strings.Contains(lower, "delete all ")) {
			j.add("tool_destroys", j.line(i))
		}
	}
	if r.Input != nil {
		j.calls(*r.Input, language == "ruby")
	}
}

// inTool judges code in a tool's arguments in the same way.
func (j *judge) inTool(v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			switch text, _ := value.(string); strings.ToLower(name) {
			case "code", "script", "source", "snippet", "javascript", "js", "python", "expression", "function", "cell", "eval":
				j.calls(text, false)
			}
			if depth < words.MaxDeep {
				j.inTool(value, depth+1)
			}
		}
	case []any:
		for _, value := range v {
			if depth < words.MaxDeep {
				j.inTool(value, depth+1)
			}
		}
	}
}

// maxCode limits how much code is searched for calls.
const maxCode = 64 << 10

// calls judges the calls in code, each with the names before it. In some languages
// a call needs no parentheses.
func (j *judge) calls(text string, bare bool) {
	if len(text) > maxCode {
		j.add("too_complex", "")
		text = text[:maxCode]
	}
	service := slices.ContainsFunc(libraries, func(name string) bool { return strings.Contains(text, name) })
	var each []string
	if service {
		each = looped(text)
	}
	var names []string   // of the current chain: boto3 client delete_bucket
	var outer [][]string // those before the enclosing parentheses
	joined := false
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '\'' || c == '"' || c == '`':
			n := lex.Quoted(text[at:], c)
			inner := strings.Trim(text[at:at+n], "'\"`")
			if strings.EqualFold(inner, "delete") { // the method of a request
				j.requested(text)
			}
			if last := len(outer) - 1; last >= 0 && len(outer[last]) > 0 &&
				slices.ContainsFunc(words.Of(outer[last][len(outer[last])-1]), words.Executes) { // dbExecute(connection, "DROP …")
				j.statements(&model.Code{Language: "sql", Text: inner})
			}
			names, joined = nil, false
			at += n
		case c == '#', strings.HasPrefix(text[at:], "// "):
			at += lex.Line(text[at:])
		case c == '(' || c == '[':
			if c == '(' {
				if len(names) == 2 && words.Verb(names[1]) == words.Takes && slices.Contains(each, names[0]) {
					j.add("tool_destroys", strings.Join(names, "."))
				}
				j.called(names, text[at+1:], service)
			}
			outer = append(outer, names)
			names, joined = nil, false
			at++
		case c == ')' || c == ']':
			inner := names
			if names, joined = nil, false; len(outer) > 0 {
				names, outer = outer[len(outer)-1], outer[:len(outer)-1]
			}
			if len(names) == 0 || names[len(names)-1] == "new" { // (new Client())->x(…), new (lib.Command)(…)
				if names = inner; len(inner) == 0 {
					names = []string{"…"}
				}
			}
			at++
		case lex.Word(c) && c != '.':
			end := at + 1
			for end < len(text) && lex.Word(text[end]) && text[end] != '.' {
				end++
			}
			if !joined {
				names = nil
			}
			names, joined = append(slices.Clip(names), text[at:end]), false
			if at = end; bare && !strings.HasPrefix(text[end:], "(") {
				j.called(names, alone(text[end:]), service)
			}
		case c == '.':
			joined = true
			at++
		case strings.HasPrefix(text[at:], "::"), strings.HasPrefix(text[at:], "->"), strings.HasPrefix(text[at:], "?."):
			joined = true
			at += 2
		case c == '$', (c == '!' || c == '?') && strings.HasPrefix(text[at+1:], "("): // a part of the name
			at++
		default:
			if !strings.ContainsRune(" \t\r\n", rune(c)) {
				names, joined = nil, false
			}
			at++
		}
	}
}

// called judges one call by its name, what it belongs to, and how its arguments begin.
func (j *judge) called(names []string, args string, service bool) {
	if len(names) == 0 {
		return
	}
	last := names[len(names)-1]
	does, of := words.Nothing, service && plain(args) // c.delete()
	for _, word := range words.Of(last) {
		does, of = max(does, words.Verb(word)), of || words.Thing(word)
	}
	for _, name := range names[:len(names)-1] {
		of = of || slices.ContainsFunc(words.Of(name), words.Thing) || slices.ContainsFunc(words.Of(name), words.Connection)
	}
	args = strings.TrimSpace(args)
	first := ""
	if args != "" && strings.ContainsRune("'\"`", rune(args[0])) {
		first = strings.Trim(args[:lex.Quoted(args, args[0])], "'\"`")
	}
	sql := first != "" && slices.ContainsFunc(words.Of(last), words.Executes)
	class := last[0] >= 'A' && last[0] <= 'Z' && of // new DeleteBucketCommand(…)
	switch {
	case len(names) == 1 && does < words.Wipes && !class && !sql: // a function of the code itself
	case does == words.Removes && strings.Contains(first, "://"):
		j.requested(first)
	case does >= words.Removes && strings.HasPrefix(first, "/"): // a route of a server: app.delete("/users")
	case does == words.Wipes && len(names) > 1, does == words.Removes && of, last == "prune" && of:
		j.add("tool_destroys", strings.Join(names, "."))
	case sql:
		j.statements(&model.Code{Language: "sql", Text: first})
	}
}

// plain reports whether the arguments of a call do not select one of many:
// bucket.delete(), bucket.delete(force=True).
func plain(args string) bool {
	args = strings.TrimLeft(args, " \n")
	return strings.HasPrefix(args, ")") || strings.HasPrefix(args, "force")
}

// alone is ) where a name without brackets is a call without arguments: b.delete!
func alone(rest string) string {
	rest = strings.TrimLeft(strings.TrimLeft(rest, "!?"), " \t")
	if rest == "" || strings.ContainsRune("\n;})]", rune(rest[0])) {
		return ")"
	}
	return ""
}

// libraries are client libraries for services that store data.
var libraries = []string{"boto3", "botocore", "aws-sdk", "google.cloud", "@google-cloud", "googleapiclient", "azure.",
	"@azure/", "octokit", "PyGithub", "import github", "gitlab", "kubernetes", "hcloud", "digitalocean", "stripe", "twilio",
	"firebase", "supabase", "openstack", "libcloud", "pyvmomi", "proxmoxer", "cloudflare", "sendgrid", "pymongo", "sqlalchemy",
	"elasticsearch", "import docker"}

// requested judges a request that deletes what a URL in a text names.
func (j *judge) requested(text string) {
	for _, scheme := range [...]string{"https://", "http://"} {
		if _, rest, ok := strings.Cut(text, scheme); ok {
			host, at, _ := strings.Cut(rest, "/")
			if host, _ = paths.HostOf(scheme + strings.TrimRight(host, "'\"`)")); !local(host) {
				j.add(deletes(host, at), host)
			}
			return
		}
	}
	if strings.Contains(text, "fetch(") { // of the page that is open
		j.add("http_delete", "fetch")
	}
}
