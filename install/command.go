package install

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/layers"
)

// What the model is told when trammel-hook did not answer. In a project's
// settings the program may be missing altogether.
const (
	noAnswer = "Trammel did not answer, so this call is blocked. Run: trammel doctor"
	noHook   = "This project is guarded by Trammel, and trammel-hook did not answer, so this call is blocked. Is it installed and on " +
		"the PATH? See https://github.com/trammel-dev/trammel#install, then run: trammel doctor"
)

// program is what the site's wiring starts, and the arguments before the
// host's name. The settings of a user name everything absolutely, so that no
// variable can take the guard or its rules away. Those of a project are shared,
// so they are the same on every machine: the program is found by its name, and
// the directories by the account.
func (s *site) program() []string {
	if s.Scope == Project {
		return []string{"trammel-hook"}
	}
	argv := []string{s.Hook}
	if s.UserConfig != "" {
		argv = append(argv, layers.UserFlag, s.UserConfig, layers.StateFlag, s.State)
	}
	return argv
}

// line is the command line for an event. It ends in the marker.
func (s *site) line(e *dialects.Event) string {
	shell, argv := dialects.POSIX, s.program()
	if wait := s.host.Patience(e.Kind); wait > 0 {
		argv = append(argv, fmt.Sprintf("%s=%ds", dialects.WaitFlag, wait/time.Second))
	}
	if s.GOOS == "windows" {
		if shell = s.host.Facts().Windows; shell == dialects.POSIX {
			for i := range argv {
				argv[i] = strings.ReplaceAll(argv[i], `\`, "/")
			}
		}
	}
	why := noAnswer
	if s.Scope == Project {
		why = noHook
	}
	denial := strings.Replace(s.host.Facts().Denial, "%s", why, 1)
	rest := " " + s.host.System + " " + e.Name
	switch shell {
	case dialects.PowerShell:
		return powershell(argv, rest, e.Wire, why, denial)
	case dialects.CmdExe:
		return cmdexe(argv, rest, e.Wire, why, denial)
	}
	return posix(argv, rest, e.Wire, why, denial)
}

func posix(argv []string, rest string, g dialects.Guard, why, denial string) string {
	call := each(argv, quote) + rest
	switch g {
	case dialects.Open:
		return call + " # " + Marker
	case dialects.ClosedByExit:
		return call + ` || { [ $? -eq 2 ] || echo "` + why + `" >&2; exit 2; } # ` + Marker
	case dialects.ClosedByJSON:
		return call + ` || { echo '` + denial + `'; exit 0; } # ` + Marker
	}
	return call + ` || { echo "` + why + `" >&2; exit 2; } # ` + Marker
}

func powershell(argv []string, rest string, g dialects.Guard, why, denial string) string {
	call := "& " + each(argv, func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }) + rest
	return call + either(g, "; exit $LASTEXITCODE", "; if ($LASTEXITCODE -ne 0) { '"+denial+"' }; exit 0",
		"; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('"+why+"'); exit 2 }") + " # " + Marker
}

func cmdexe(argv []string, rest string, g dialects.Guard, why, denial string) string {
	call := each(argv, func(s string) string { return `"` + s + `"` }) + rest
	return call + either(g, "", " || (echo "+denial+" & exit 0)", " || (echo "+why+" 1>&2 & exit 2)") + " & rem " + Marker
}

// either is what a shell does after the call, by what guards it.
func either(g dialects.Guard, open, byJSON, byExit string) string {
	switch g {
	case dialects.Open:
		return open
	case dialects.ClosedByJSON:
		return byJSON
	}
	return byExit
}

// each is all words, quoted; flags and the bare name of the program need no quotes.
func each(argv []string, quote func(string) string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		if words[i] = word; !strings.HasPrefix(word, "--") && (i > 0 || filepath.Base(word) != word) {
			words[i] = quote(word)
		}
	}
	return strings.Join(words, " ")
}

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// quote puts a word into double quotes for sh.
func quote(s string) string { return `"` + quoter.Replace(s) + `"` }

// check refuses a path that no command line can hold, or that would make the
// wiring depend on where the host was started.
func (o *Options) check() error {
	for _, dir := range []string{o.Hook, o.UserConfig} {
		switch {
		case dir == "" && dir != o.Hook:
		case !filepath.IsAbs(dir):
			return fmt.Errorf("the wiring would name %q, expected an absolute path", dir)
		case strings.ContainsAny(dir, "\x00\r\n"):
			return fmt.Errorf("the wiring would name %q, expected a path without line breaks", dir)
		case strings.Contains(dir, Marker):
			return fmt.Errorf("the wiring would name %q, which contains %q, the mark of our entries", dir, Marker)
		}
	}
	return executable(o.Hook)
}

// executable says why a program cannot be started, nil if it can.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("trammel-hook: %w", err)
	}
	if m := info.Mode(); !m.IsRegular() || runtime.GOOS != "windows" && m.Perm()&0o111 == 0 {
		return fmt.Errorf("trammel-hook: %s has mode %s, expected a file that can be run", path, m)
	}
	return nil
}
