package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Absent stands for the digest of a program that was not there, or not
// trusted, when its project was. No file has this digest.
const Absent = "absent"

// EntryPoints are the files inside of projects that their hooks start: scripts
// run by path, and scripts given to an interpreter. Trust pins their content,
// because a rule about a program says little if the program can be rewritten.
func EntryPoints(c *Compiled) []string {
	paths := slices.Clone(c.entryPoints)
	slices.Sort(paths)
	return slices.Compact(paths)
}

// entryPoints are those of one hook, as absolute paths.
func entryPoints(d *declared) []string {
	dir := d.file.Dir
	base := dir
	if own := string(d.decl.Dir); own != "" {
		if base = own; !filepath.IsAbs(own) {
			base = filepath.Join(dir, own)
		}
	}
	var paths []string
	for _, path := range started(d.decl) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		path = filepath.Clean(path)
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// starts reports whether the hook runs programs that a project can hold.
func (d *declared) starts() bool { return d.form.kind == "command" || d.form.kind == "pack" }

// started are the files that a hook starts, as it names them; of a pack, the
// whole directory.
func started(h *HookDecl) (paths []string) {
	if h.Pack != nil {
		return []string{string(h.Pack.Dir)}
	}
	for _, words := range commands(h) {
		if path := script(words); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// commands are the words of each command that a hook starts. Words that only
// the shell will know are empty.
func commands(h *HookDecl) [][]string {
	if len(h.Exec) > 0 {
		return [][]string{texts(h.Exec)}
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(string(h.Run)), "")
	if err != nil {
		return nil
	}
	var all [][]string
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			words := make([]string, len(call.Args))
			for i, w := range call.Args {
				words[i] = literal(w.Parts)
			}
			all = append(all, words)
		}
		return true
	})
	return all
}

// line is what a hook starts or whom it asks, in one line for people; "" for
// one that does neither.
func (d *declared) line() string {
	switch h := d.decl; {
	case len(h.Exec) > 0:
		return fmt.Sprintf("%q", texts(h.Exec))
	case h.Pack != nil:
		return fmt.Sprintf("call %s of the pack %s", h.Pack.Hook, h.Pack.Dir)
	case h.HTTP != nil:
		return "POST " + string(h.HTTP.URL)
	case h.Model != nil:
		return strings.TrimSpace(fmt.Sprintf("ask the model %s %s", h.Model.Model, h.Model.URL))
	case d.script != "" && exists(d.script):
		return d.script
	default:
		return strings.TrimSpace(string(h.Run))
	}
}

// literal is the text of a word without expansions, "" if it has one.
func literal(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			inner := literal(p.Parts)
			if inner == "" && len(p.Parts) > 0 {
				return ""
			}
			b.WriteString(inner)
		default:
			return ""
		}
	}
	return b.String()
}

// Interpreters run the first argument that is not an option, unless an option
// says that the code itself follows.
var (
	shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "source", "."}
	others = []string{"python", "python2", "python3", "node", "nodejs", "deno", "bun", "tsx", "ruby", "perl", "php", "pwsh", "powershell",
		"lua", "Rscript", "osascript"}
)

// wrappers run the command that follows them.
var wrappers = []string{"env", "exec", "command", "nice", "nohup", "time", "timeout", "sudo", "stdbuf", "setsid"}

// script is the path of the file that a command runs, "" if it is a program
// found elsewhere.
func script(words []string) string {
	for len(words) > 0 {
		name := strings.TrimSuffix(filepath.Base(words[0]), ".exe")
		switch {
		case slices.Contains(wrappers, name):
			words = after(words[1:], func(w string) bool {
				return strings.HasPrefix(w, "-") || strings.Contains(w, "=") || strings.Trim(w, "0123456789.smhd") == ""
			})
		case slices.Contains(shells, name):
			return argument(words[1:], "c")
		case slices.Contains(others, name):
			return argument(words[1:], "cemp")
		case strings.ContainsAny(words[0], `/\`):
			return words[0]
		default:
			return ""
		}
	}
	return ""
}

// argument is the first one that is not an option, "" if an option that ends
// in one of the inline letters says that code follows.
func argument(words []string, inline string) string {
	for _, w := range words {
		switch {
		case w == "run": // deno run, bun run
		case !strings.HasPrefix(w, "-"):
			return w
		case w == "--eval" || w == "--print", !strings.HasPrefix(w, "--") && len(w) > 1 && strings.Contains(inline, w[len(w)-1:]):
			return ""
		}
	}
	return ""
}

// after drops the words at the beginning for which skip holds.
func after(words []string, skip func(string) bool) []string {
	for len(words) > 0 && skip(words[0]) {
		words = words[1:]
	}
	return words
}
