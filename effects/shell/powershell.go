package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// windows lists what PowerShell and cmd.exe are told to run, as far as their
// language is like that of a shell: commands between separators.
func (d *deriver) windows(name string, run int, st *state) {
	r := &d.set.Runs[run]
	args := r.Args
	for i := range args {
		t := strings.ToLower(args[i].Text)
		if i > 0 && name != "cmd" && takesValue(args[i-1].Text) {
			continue
		}
		switch {
		case name == "cmd" && (t == "/c" || t == "/k" || t == "//c"):
		case name != "cmd" && len(t) > 1 && strings.HasPrefix("-command", t):
		case name != "cmd" && len(t) > 2 && strings.HasPrefix("-encodedcommand", t) && i+1 < len(args):
			text, ok := utf16Base64(args[i+1].Text)
			if !ok {
				d.doubt("code", args[i+1].Text, run)
				return
			}
			d.windowsScript(name, text, run, st)
			return
		case name != "cmd" && (t == "-file" || t == "-f"):
			if i+1 < len(args) {
				d.set.Codes = append(d.set.Codes, model.Code{Language: "powershell", Origin: model.OnDisk, File: d.paths.Resolve(args[i+1],
					d.here(st)), Run: run})
			}
			return
		case name != "cmd" && !strings.HasPrefix(t, "-") && (i == 0 || !strings.HasPrefix(args[i-1].Text, "-e")):
			d.windowsScript(name, join(args[i:]).Text, run, st)
			return
		default:
			continue
		}
		line := join(args[i+1:])
		if !line.Known {
			d.doubt("code", line.Text, run)
		}
		if line.Text == "-" {
			break
		}
		d.windowsScript(name, line.Text, run, st)
		return
	}
	if st.in.text != "" {
		d.windowsScript(name, st.in.text, run, st)
	}
}

// takesValue reports whether an option of PowerShell has its value in the next word.
func takesValue(option string) bool {
	switch strings.ToLower(option) {
	case "-executionpolicy", "-ep", "-ex", "-exec", "-version", "-windowstyle", "-w", "-inputformat", "-outputformat", "-configurationname",
		"-workingdirectory", "-wd", "-settingsfile":
		return true
	}
	return false
}

func (d *deriver) windowsScript(name, text string, run int, st *state) {
	language := "powershell"
	if name == "cmd" {
		language = "batch"
	}
	d.set.Codes = append(d.set.Codes, model.Code{Language: language, Text: text, Origin: model.Inline, Run: run})
	d.doubt("code", text, run)
	sub := st.copy()
	if sub.depth++; sub.depth > maxNested {
		d.doubt("depth", text, run)
		return
	}
	if !d.spend(len(text)) {
		return
	}
	var commands [][]model.Word
	for _, command := range compute.SplitWindows(text) {
		if words := compute.WindowsWords(command); len(words) > 0 {
			for i := range words {
				words[i].Text = d.paths.Tilde(words[i].Text).Text
			}
			commands = append(commands, words)
			d.start(words, run, sub, started{})
		}
	}
	d.fetchesCode(commands, run)
}

// fetchesCode finds what PowerShell executes as it comes from the network:
// iex (iwr url), irm url | iex, IEX(New-Object Net.WebClient).DownloadString(url).
func (d *deriver) fetchesCode(commands [][]model.Word, run int) {
	fetches, runs := false, false
	for _, words := range commands {
		for i := range words {
			switch name := strings.ToLower(words[i].Text); {
			case i == 0 && (name == "iex" || name == "invoke-expression"), strings.HasSuffix(name, "[scriptblock]::create"):
				runs = true
			case i == 0 && (name == "iwr" || name == "irm" || name == "invoke-webrequest" || name == "invoke-restmethod"),
				strings.HasSuffix(name, ".downloadstring"), strings.HasSuffix(name, ".downloaddata"), strings.HasSuffix(name, ".getstringasync"),
				strings.HasSuffix(name, ".downloadfile"):
				fetches = true
			case fetches && strings.Contains(name, "://"):
				n := model.Net{URL: words[i].Text, Run: run}
				if words[i].Known {
					n.Host, n.Port = paths.HostOf(words[i].Text)
				}
				d.set.Nets = append(d.set.Nets, n)
			}
		}
	}
	if fetches && runs {
		d.set.Codes = append(d.set.Codes, model.Code{Language: "powershell", Origin: model.Network, Run: run})
	}
}
