package model

import (
	"slices"
	"strings"
)

// Dumps reports whether a run prints all variables.
func (s *Set) Dumps(run int) bool {
	r := &s.Runs[run]
	switch r.Program {
	case "env", "printenv":
		return r.onlyOptions("0nulv-") && !s.starts(run)
	case "set":
		return len(r.Args) == 0
	case "export", "declare", "typeset", "readonly":
		return r.onlyOptions("pxrglit")
	case "compgen": // their names, behind which ${!name} stands
		return len(r.Args) > 0 && (r.Args[0].Text == "-v" || r.Args[0].Text == "-e" || r.Args[0].Text == "-A")
	case "awk", "gawk", "mawk", "nawk":
		return r.mentions("in ENVIRON")
	case "jq", "gojq", "jaq", "yq", "nu":
		return r.mentions("$ENV") || r.mentions("$env") || slices.ContainsFunc(r.Args, func(w Word) bool {
			return callsEnv(w.Text)
		})
	case "get-childitem", "get-item", "dir", "ls":
		return slices.ContainsFunc(r.Args, func(w Word) bool { return strings.HasPrefix(strings.ToLower(w.Text), "env:") })
	case "ps":
		for _, w := range r.Args { // without a dash, e shows the environment
			if w.Text != "" && w.Text[0] != '-' && strings.Contains(w.Text, "e") && strings.Trim(w.Text, "aefgjlruvwxHT") == "" {
				return true
			}
		}
	}
	return false
}

// onlyOptions reports whether the arguments are nothing but options of these
// letters.
func (r *Run) onlyOptions(letters string) bool {
	for _, w := range r.Args {
		if len(w.Text) < 2 || w.Text[0] != '-' || strings.Trim(w.Text[1:], letters) != "" {
			return false
		}
	}
	return !r.More
}

// mentions reports whether an argument has a text in it.
func (r *Run) mentions(text string) bool {
	return slices.ContainsFunc(r.Args, func(w Word) bool { return strings.Contains(w.Text, text) })
}

// starts reports whether a run starts another one.
func (s *Set) starts(run int) bool {
	for i := range s.Runs {
		if s.Runs[i].By == run {
			return true
		}
	}
	return false
}

// SecretVariable reports whether a variable holds a secret by its name.
func SecretVariable(name string) bool {
	switch name[strings.LastIndexByte(name, '_')+1:] {
	case "COUNT", "INDEX", "LENGTH", "SIZE", "TTL": // it says something about the secret
		return false
	}
	for part := range strings.SplitSeq(name, "_") {
		switch part {
		case "SECRET", "SECRETS", "TOKEN", "PASSWORD", "PASSWD", "PASS", "PWD", "CREDENTIALS", "APIKEY", "KEY", "PAT", "PASSPHRASE":
			return name != "PWD" && name != "OLDPWD" && name != "KEY"
		}
	}
	return Connection(name)
}

// SecretNamed returns the name of a secret in a pattern or an expression:
// TOKEN|SECRET, .dbPassword.value, ENVIRON["GH_TOKEN"]; "" if there is none.
func SecretNamed(text string) string {
	for name := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
	}) {
		if name = strings.ToUpper(snake(strings.Trim(name, "_"))); SecretVariable(name) {
			return name
		}
	}
	return ""
}

// snake writes a name of several words with lines between them: dbPassword is
// db_Password.
func snake(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if i > 0 && name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// Connection reports whether a variable's name says that it is the address of a
// database, which often contains a password: DATABASE_URL, MONGODB_URI.
func Connection(name string) bool {
	if name == "CONNECTION_STRING" || strings.HasSuffix(name, "_CONNECTION_STRING") {
		return true
	}
	what, kind, _ := strings.Cut(name, "_")
	return slices.Contains([]string{"DATABASE", "DB", "POSTGRES", "POSTGRESQL", "PG", "MYSQL", "MONGO", "MONGODB", "REDIS", "AMQP",
		"RABBITMQ"}, what) && slices.Contains([]string{"URL", "URI", "DSN"}, kind)
}

// Inherit adds the variables that tell a framework which database to use, if they
// are in the environment and the run does not set them itself.
func (r *Run) Inherit(lookup func(name string) (value Word, ok bool)) {
	stage := ""
	switch r.Program {
	case "rails", "rake":
		stage = "RAILS_ENV"
	case "mix":
		stage = "MIX_ENV"
	default:
		return
	}
	const uncheck = "DISABLE_DATABASE_ENVIRONMENT_CHECK" // then Rails does not look what the database is for
	for _, name := range [...]string{stage, "DATABASE_URL"} {
		if slices.ContainsFunc(r.Env, func(a Assign) bool { return a.Name == name || a.Name == uncheck }) {
			continue
		}
		if value, ok := lookup(name); ok {
			r.Env = append(r.Env[:len(r.Env):len(r.Env)], Assign{Name: name, Value: value})
		}
	}
}

// Replaced reports whether a variable of the run can make the program another one, make
// it run code that nobody named, or turn it to another account.
func (r Run) Replaced() bool {
	return slices.ContainsFunc(r.Env, func(a Assign) bool {
		switch a.Name {
		case "PATH", "SHELL", "IFS", "BASH_ENV", "ENV", "ZDOTDIR", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "NODE_OPTIONS", "NODE_PATH",
			"PERL5LIB", "PERL5OPT", "PERLLIB", "RUBYLIB", "RUBYOPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "GOFLAGS",
			"RUSTC", "RUSTC_WRAPPER", "MAKEFILES", "MAKEFLAGS", "GIT_EXEC_PATH", "GIT_DIR", "GIT_CONFIG", "GCONV_PATH",
			"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "TF_CLI_CONFIG_FILE", "DOCKER_CONFIG", "CARGO_HOME", "GOENV", "AWS_CONFIG_FILE",
			"PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PIP_CONFIG_FILE", "KUBECONFIG", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_ACCESS_KEY_ID",
			"AWS_SHARED_CREDENTIALS_FILE", "GOOGLE_APPLICATION_CREDENTIALS", "DOCKER_CONTEXT", "HELM_KUBECONTEXT", "TF_WORKSPACE",
			"PYTHONBREAKPOINT", "PGHOSTADDR", "TF_CLI_ARGS", "PGSERVICE", "PGSERVICEFILE", "GH_HOST", "GH_CONFIG_DIR", "GH_REPO":
			return true
		}
		for _, begin := range [...]string{"GIT_CONFIG_", "LD_", "DYLD_", "BASH_FUNC_", "CLOUDSDK_", "AZURE_", "ARM_", "TF_CLI_ARGS_"} {
			if strings.HasPrefix(a.Name, begin) {
				return true
			}
		}
		return strings.HasPrefix(strings.ToLower(a.Name), "npm_config_") || steers(a.Name) || leads(a.Name, a.Value.Text)
	})
}

// steers reports whether a variable is by its name more than a value that a program
// works with. Every program has such variables, and most use the same words.
func steers(name string) bool {
	for _, end := range [...]string{"_FILE", "_PATH", "_DIR", "_URL"} {
		name = strings.TrimSuffix(name, end)
	}
	for _, end := range [...]string{"OPTS", "OPTIONS", "FLAGS", "_ARGS", "_CONFIG", "_PLUGIN", "PLUGINS", "_HOOK", "_HOOKS", "WRAPPER",
		"EDITOR", "PAGER", "_SHELL", "_COMMAND", "_CMD", "PROXY", "_INDEX", "_REGISTRY", "PRELOAD", "GEMFILE", "_HOME", "_LINKER",
		"_RUNNER", "TOOLCHAIN"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// leads reports whether the value of a variable is an option, a place of the machine, or
// an address on another one.
func leads(name, value string) bool {
	if name == "TMPDIR" || name == "TMP" || name == "TEMP" || value == "" {
		return false
	}
	if _, address, ok := strings.Cut(value, "://"); ok {
		if end := strings.IndexAny(address, "/?#\\"); end >= 0 {
			address = address[:end]
		}
		host, _, _ := strings.Cut(address[strings.LastIndexByte(address, '@')+1:], ":")
		return host != "localhost" && host != "127.0.0.1"
	}
	return strings.IndexByte("/~", value[0]) >= 0 || strings.Contains(value, "../") || strings.Contains(value, ":/") ||
		len(value) > 1 && value[0] == '-' && (value[1] < '0' || value[1] > '9') || strings.Contains(value, " -")
}

// TokenFor reports whether a host is the one that a secret variable logs in to, by
// its name: GH_TOKEN is for api.github.com.
func TokenFor(name, host string) bool {
	for service := range strings.FieldsSeq(tokens) {
		begin, own, _ := strings.Cut(service, "=")
		if own == host && strings.HasPrefix(name, begin+"_") && SecretVariable(name) {
			return true
		}
	}
	return false
}

// tokens are how the names of services' tokens begin, and where they are used.
const tokens = `
ANTHROPIC=api.anthropic.com
CARGO_REGISTRY=crates.io
CIRCLE=circleci.com
CLOUDFLARE=api.cloudflare.com
CODECOV=codecov.io
COVERITY=scan.coverity.com
DIGITALOCEAN=api.digitalocean.com
DOCKERHUB=hub.docker.com
FLY=api.fly.io
GH=api.github.com
GITHUB=api.github.com
GITLAB=gitlab.com
HEROKU=api.heroku.com
HF=huggingface.co
NETLIFY=api.netlify.com
NODE_AUTH=registry.npmjs.org
NPM=registry.npmjs.org
OPENAI=api.openai.com
PYPI=upload.pypi.org
SENTRY=sentry.io
SLACK=slack.com
TELEGRAM=api.telegram.org
TWINE=upload.pypi.org
VERCEL=api.vercel.com
`

// Assignments are the words that set variables: export PAGER=less. An editor that is
// only named, as in export EDITOR=vim, opens nothing yet.
func Assignments(words []Word) (out []Assign) {
	for _, w := range words {
		if name, value, ok := strings.Cut(w.Text, "="); ok && !(w.Known && Editor(name, value)) {
			w.Text = value
			out = append(out, Assign{Name: name, Value: w})
		}
	}
	return out
}

// Sets are the variables that words set: NAME=value, or NAME value at the end.
func Sets(words []Word) []Assign {
	out := Assignments(words)
	if n := len(words); n > 1 && len(out) == 0 {
		out = []Assign{{Name: words[n-2].Text, Value: words[n-1]}}
	}
	return out
}

// Editor reports whether a variable says which editor is used, and names one.
func Editor(name, value string) bool {
	if name != "VISUAL" && !strings.HasSuffix(name, "EDITOR") {
		return false
	}
	switch value {
	case "vi", "vim", "nvim", "nano", "emacs", "micro", "hx", "pico", "joe":
		return true
	}
	return false
}

// OpensEditor reports whether a run opens the editor that a variable names: git commit
// without a message, crontab -e.
func OpensEditor(r *Run) bool {
	has := func(words ...string) bool {
		return slices.ContainsFunc(r.Args, func(w Word) bool { return slices.Contains(words, w.Text) })
	}
	switch {
	case has("--help", "-h", "--no-edit"):
		return false
	case r.Program == "git", r.Program == "hg", r.Program == "jj":
		return has("commit", "rebase", "merge", "tag", "revert", "notes", "describe") && !has("-m", "--message", "-F", "--file", "-C", "-am") ||
			has("-e", "--edit", "edit")
	}
	return has("-e", "--edit", "edit") || slices.Contains([]string{"visudo", "vipw", "vigr", "sudoedit"}, r.Program)
}

// RunsValue reports whether programs run what a variable says.
func RunsValue(name string) bool {
	switch name {
	case "GIT_SSH", "GIT_EXTERNAL_DIFF", "VISUAL", "LESSOPEN", "LESSCLOSE", "BROWSER", "RUSTC_WRAPPER", "AUTOM4TE", "FCEDIT", "CC",
		"CXX", "LESSEDIT", "npm_config_script_shell", "NPM_CONFIG_SCRIPT_SHELL", "RSYNC_CONNECT_PROG", "KUBECTL_EXTERNAL_DIFF":
		return true
	}
	for _, end := range [...]string{"EDITOR", "PAGER", "ASKPASS", "_RSH", "_COMMAND", "PASSCOMMAND", "FETCHCOMMAND", "_RUNNER",
		"_WRAPPER", "_BROWSER", "_LAUNCHER"} {
		if strings.HasSuffix(name, end) && name != "PROMPT_COMMAND" {
			return true
		}
	}
	return false
}

// callsEnv reports whether a filter of jq has the function env: env.X, {a: env}, env | .X.
func callsEnv(filter string) bool {
	for at := 0; ; {
		i := strings.Index(filter[at:], "env")
		if i < 0 {
			return false
		}
		before, after := at+i-1, at+i+len("env")
		begins := before < 0 || strings.IndexByte(" |(,:;[{", filter[before]) >= 0
		if begins && (after == len(filter) || strings.IndexByte(" |).,;]}[", filter[after]) >= 0) {
			return true
		}
		at = after
	}
}

// maxEnv bounds how many variables are listed.
const maxEnv = 64

// ReadsEnv notes that a variable of the agent's environment is read.
func (s *Set) ReadsEnv(name string) {
	if len(s.Env) > maxEnv { // all of them are listed already
		return
	}
	if len(s.Env) == maxEnv {
		name = "*"
	}
	if !slices.Contains(s.Env, name) {
		s.Env = append(s.Env, name)
	}
}

// Environment notes variables that are read by programs that print them.
func (s *Set) Environment() {
	for i := range s.Runs {
		switch r := &s.Runs[i]; {
		case r.Remote:
		case s.Dumps(i):
			s.ReadsEnv("*")
		case r.Program == "printenv":
			for k := range r.Args {
				if w := &r.Args[k]; w.Known && w.Text != "" && w.Text[0] != '-' {
					s.ReadsEnv(w.Text)
				} else if !w.Known {
					s.ReadsEnv("*")
				}
			}
		}
	}
}
