package shellguard

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// profile returns the code for changing a file that shells run. For the user's own
// files a person is asked at every level.
func (j *judge) profile(abs string) code {
	for _, home := range j.ground.Homes() {
		if path.Dir(abs) == home && home != j.ground.Project {
			switch path.Base(abs) {
			case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
				".bash_aliases", ".shrc", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".zlogout":
				return "shell_profile"
			}
		}
		if strings.HasPrefix(abs, home+"/") && strings.HasSuffix(strings.ToLower(abs), "profile.ps1") {
			return "shell_profile"
		}
	}
	return "shell_startup"
}

// setsUp reports whether the text added to a shell startup file is only what install
// instructions tell people to add: where something is installed, and the tool's own
// line that loads it.
func (j *judge) setsUp(f *effects.File) bool {
	if !f.Append || f.Run < 0 {
		return false
	}
	r := &j.set.Runs[f.Run]
	text := ""
	switch r.Program {
	case "echo", "printf":
		for i, a := range r.Args {
			if i == 0 && (a.Text == "-e" || a.Text == "-n" || r.Program == "printf" && (a.Text == `%s\n` || a.Text == "%s\n")) {
				continue
			}
			if !a.Known {
				return false
			}
			text += a.Text + "\n"
		}
	case "tee", "cat":
		if r.Input == nil {
			return false
		}
		text = *r.Input
	default:
		return false
	}
	found := false
	for line := range strings.Lines(strings.ReplaceAll(text, `\n`, "\n")) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if !setting(line) && !loading(line) {
			return false
		}
		found = true
	}
	return found
}

// setting reports whether a line only says where something is: export GOPATH=$HOME/go.
func setting(line string) bool {
	name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
	value = strings.Trim(value, `"'`)
	if !ok || value == "" || strings.ContainsAny(value, "`;&|()<>\"'") || strings.Contains(value, "$(") {
		return false
	}
	switch name {
	case "PATH":
		for dir := range strings.SplitSeq(value, ":") {
			if dir != "$PATH" && dir != "${PATH}" && !installed(dir) {
				return false
			}
		}
		return strings.Contains(value, "PATH")
	case "GOPATH", "GOBIN", "GOROOT", "NVM_DIR", "PYENV_ROOT", "JAVA_HOME", "ANDROID_HOME", "ANDROID_SDK_ROOT", "PNPM_HOME", "BUN_INSTALL",
		"CARGO_HOME", "RUSTUP_HOME", "RBENV_ROOT", "VOLTA_HOME", "DENO_INSTALL", "SDKMAN_DIR", "HOMEBREW_PREFIX", "FLUTTER_HOME", "MAVEN_HOME",
		"GRADLE_HOME", "DOTNET_ROOT", "KREW_ROOT":
		return installed(value)
	case "LANG", "LC_ALL", "LC_CTYPE", "TZ", "EDITOR", "VISUAL", "CLICOLOR", "COLORTERM", "GPG_TTY", "HOMEBREW_NO_ANALYTICS",
		"DOTNET_CLI_TELEMETRY_OPTOUT", "NEXT_TELEMETRY_DISABLED":
		return !strings.ContainsAny(value, "/ $")
	}
	return false
}

// installed reports whether a folder is one in which programs are installed, and
// that not everybody can write to.
func installed(dir string) bool {
	for _, home := range [...]string{"$HOME/", "${HOME}/", "~/", "$GOPATH/", "$CARGO_HOME/", "$PNPM_HOME", "$BUN_INSTALL/", "$PYENV_ROOT/",
		"$JAVA_HOME/", "$ANDROID_HOME/", "$VOLTA_HOME/", "$DENO_INSTALL/", "/usr/local/", "/opt/", "/usr/bin", "/usr/lib/", "/home/", "/Users/"} {
		if strings.HasPrefix(dir, home) && !strings.Contains(dir, "..") && !strings.Contains(dir, "/tmp") {
			return true
		}
	}
	return false
}

// loading reports whether a line loads a well-known tool in the way that the tool
// says: eval "$(direnv hook zsh)", . "$HOME/.cargo/env".
func loading(line string) bool {
	if command, ok := strings.CutPrefix(line, `eval "$(`); ok {
		if command, ok = strings.CutSuffix(command, `)"`); !ok || strings.ContainsAny(command, "`;&|<>$()") {
			return false
		}
		tool, _, _ := strings.Cut(command, " ")
		switch path.Base(tool) {
		case "direnv", "starship", "zoxide", "pyenv", "rbenv", "nodenv", "goenv", "jenv", "mise", "asdf", "brew", "fnm", "atuin", "thefuck",
			"conda", "gh", "kubectl", "helm", "mcfly", "dircolors", "ssh-agent", "uv", "uvx", "register-python-argcomplete":
			return !strings.Contains(tool, "/") || installed(tool)
		}
		return false
	}
	for _, first := range [...]string{". ", "source ", `[ -s "$NVM_DIR/nvm.sh" ] && \. `, `[ -s "$NVM_DIR/nvm.sh" ] && . `} {
		if file, ok := strings.CutPrefix(line, first); ok {
			switch strings.TrimPrefix(strings.TrimPrefix(strings.Trim(file, `"'`), "$HOME/"), "~/") {
			case ".cargo/env", ".nvm/nvm.sh", "$NVM_DIR/nvm.sh", ".asdf/asdf.sh", ".ghcup/env", ".sdkman/bin/sdkman-init.sh",
				".fzf.bash", ".fzf.zsh", ".deno/env", ".local/bin/env", ".rvm/scripts/rvm":
				return true
			}
		}
	}
	return false
}

// cloned returns the repository that this line makes and that a place is in, ""
// if there is none.
func (j *judge) cloned(abs string) string {
	for i := range j.set.Files {
		f := &j.set.Files[i]
		if f.Run >= 0 && f.Op == effects.Write && f.Tree && f.Path.Known() && !f.Path.Glob && paths.Within(abs, f.Path.Abs) {
			if call, ok := programs.ReadGit(&j.set.Runs[f.Run]); ok && call.Sub == "clone" {
				return f.Path.Abs
			}
		}
	}
	return ""
}

// freshClone reports whether a place is in a repository that this line clones and
// that does not exist yet, so there is no work to lose, unless the line puts
// something else there.
func (j *judge) freshClone(abs string) bool {
	tree := j.cloned(abs)
	if tree == "" || slices.ContainsFunc(j.set.Files, func(f effects.File) bool {
		return (f.Op == effects.Move || f.Op == effects.Link) && (paths.Within(f.To.Abs, tree) || paths.Within(tree, f.To.Abs))
	}) {
		return false
	}
	_, err := j.at.Lstat(tree)
	return errors.Is(err, fs.ErrNotExist)
}

// copies reports whether a file is written by a program that puts one file in the
// place of another. Compilers and package managers make their own.
func (j *judge) copies(f *effects.File) bool {
	if f.Run < 0 {
		return true
	}
	switch j.set.Runs[f.Run].Program {
	case "cp", "mv", "ln", "ditto", "install", "rsync", "dd", "tee", "cat", "curl", "wget", "copy-item", "move-item", "copy", "move", "xcopy",
		"robocopy":
		return true
	}
	return false
}

// collects judges putting files that are unrelated to the project into one archive
// or disk image: that is how private files are taken along.
func (j *judge) collects(i int) {
	switch j.set.Runs[i].Program {
	case "tar", "gtar", "bsdtar", "zip", "7z", "7za", "ditto", "hdiutil", "rar", "cpio", "pax", "compress-archive", "makecab", "streamzip",
		"aa":
	default:
		return
	}
	if w := programs.Parse(&j.set.Runs[i]); w.Has("x", "extract", "get", "t", "list") {
		return
	}
	for k := range j.set.Files {
		f := &j.set.Files[k]
		if f.Run == i && f.Op == effects.Read && f.Path.Known() && j.private(f) && !strings.Contains(f.Path.Abs, "/.config/") {
			j.add("collects_private", where(f.Path))
			return
		}
	}
}
