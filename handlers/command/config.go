package command

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/strict"
)

// DefaultMaxOutput is the default limit for a program's output.
const DefaultMaxOutput = 1 << 20

// Absent is used as the digest of a pinned file that was missing when it was
// trusted: a file that was added since must not run.
const Absent = "absent"

// Config is the part of a declaration that this kind of handler reads.
type Config struct {
	// Run is a line for the shell; Exec is a program and its arguments. Exactly
	// one of them is set. If the first word is a relative path, it is relative
	// to Dir or else to the file with the declaration, never to the agent's
	// directory.
	Run  string
	Exec []string
	// MustSucceed is true for a line that only has to succeed: its output is
	// not an answer, but the reason for a failure.
	MustSucceed bool
	// Shell is "" for the system's own (sh, or cmd on Windows), or "powershell".
	Shell string
	// Dialect is the language that the program speaks; "" means native.
	Dialect string
	// Speak has the options of the dialect for this hook.
	Speak map[string]any
	// Env are additional variables. ${env.NAME} in a value is that variable of
	// our own environment.
	Env map[string]string
	// Pass are variables of our own environment that the program gets in
	// addition to the harmless ones; "*" means all.
	Pass []string
	// Dir is where the program runs. Without one it is the project.
	Dir string
	// MaxOutput is how many bytes it may print; 0 means DefaultMaxOutput.
	MaxOutput int64
	// Pinned are files that must have these digests ("sha256:…") when the
	// program is started, or that must still be Absent.
	Pinned map[string]string
}

// ReadConfig reads a Config from JSON. Unknown fields are refused.
func ReadConfig(raw []byte) (Config, error) {
	f, err := strict.Read(raw)
	if err != nil {
		return Config{}, err
	}
	c := Config{
		Run: f.String("run"), Exec: f.Strings("exec"), MustSucceed: f.Bool("check"), Shell: f.String("shell"), Dialect: f.String("dialect"),
		Speak: f.Object("speak"),
		Env:   texts(f, "env"), Pass: f.Strings("pass"), Dir: f.String("dir"), MaxOutput: f.Int("max_output"), Pinned: texts(f, "pinned"),
	}
	if clean, said := f.Rest()["clean"].(bool); said && !clean {
		f.Refuse("clean", `true, which is the default; "pass": ["*"] lets everything through`)
	}
	f.Bool("clean")
	return c, f.Done()
}

func texts(f *strict.Fields, key string) map[string]string {
	obj := f.Object(key)
	if obj == nil {
		return nil
	}
	out := make(map[string]string, len(obj))
	for name, v := range obj {
		text, ok := v.(string)
		if !ok {
			f.Refuse(key+"."+name, "a string")
		}
		out[name] = text
	}
	return out
}

// AppendJSON writes the Config in the form that ReadConfig reads, always with
// the same bytes for the same Config.
func (c *Config) AppendJSON(dst []byte) []byte {
	var w strict.Writer
	w.Open()
	w.Text("run", c.Run)
	w.List("exec", c.Exec)
	w.Flag("check", c.MustSucceed)
	w.Text("shell", c.Shell)
	w.Text("dialect", c.Dialect)
	w.Map("speak", c.Speak)
	writeTexts(&w, "env", c.Env)
	w.List("pass", c.Pass)
	w.Text("dir", c.Dir)
	w.Number("max_output", c.MaxOutput)
	writeTexts(&w, "pinned", c.Pinned)
	w.Close()
	return append(dst, w.Bytes()...)
}

func writeTexts(w *strict.Writer, key string, m map[string]string) {
	if len(m) > 0 {
		w.Any(key, m)
	}
}

// Check returns what is wrong with the Config.
func (c *Config) Check() error {
	switch {
	case strings.TrimSpace(c.Run) == "" && len(c.Exec) == 0:
		return fmt.Errorf(`nothing to run: set "run" or "exec"`)
	case c.Run != "" && len(c.Exec) > 0:
		return fmt.Errorf(`both "run" and "exec" are set, expected one of them`)
	case c.MustSucceed && (c.Run == "" || c.Dialect != "" || c.Speak != nil || c.MaxOutput != 0):
		return fmt.Errorf(`"check" goes with "run" alone: what it prints is not an answer`)
	case len(c.Exec) > 0 && c.Exec[0] == "":
		return fmt.Errorf(`the first element of "exec" is empty, expected a program`)
	case c.Shell != "" && c.Shell != "powershell":
		return fmt.Errorf(`unknown shell %q, expected "powershell" or none`, c.Shell)
	case c.Shell != "" && c.Run == "":
		return fmt.Errorf(`"shell" is set without "run"`)
	case c.MaxOutput < 0:
		return fmt.Errorf(`"max_output" is %d, expected more than 0`, c.MaxOutput)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		if !validName(name) {
			return fmt.Errorf("%q cannot be the name of a variable", name)
		}
		if err := checkExpansion(c.Env[name]); err != nil {
			return fmt.Errorf("variable %s: %w", name, err)
		}
	}
	for _, name := range c.Pass {
		if name != "*" && !validName(name) {
			return fmt.Errorf(`%q in "pass" is neither the name of a variable nor "*"`, name)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.Pinned)) {
		if !validDigest(c.Pinned[path]) {
			return fmt.Errorf("pinned file %s: found %q, expected sha256: and 64 hexadecimal digits, or absent", path, c.Pinned[path])
		}
	}
	return nil
}

func (c *Config) dialect() string {
	return cmp.Or(c.Dialect, "native")
}

func (c *Config) maxOutput() int {
	if c.MaxOutput == 0 {
		return DefaultMaxOutput
	}
	return int(c.MaxOutput)
}

func validName(s string) bool { return s != "" && !strings.ContainsAny(s, "=\x00* ") }

func validDigest(s string) bool {
	digits, ok := strings.CutPrefix(s, "sha256:")
	return s == Absent || ok && len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == ""
}
