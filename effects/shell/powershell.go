package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/windows"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// windows interprets what PowerShell and cmd.exe are told to run.
func (d *deriver) windows(name string, run int, st *state) {
	if name == "cmd" {
		d.commandPrompt(run, st)
		return
	}
	args := d.set.Runs[run].Args
	for i := range args {
		t := strings.ToLower(args[i].Text)
		if strings.HasPrefix(t, "/") || strings.HasPrefix(t, "–") { // powershell /c, and a dash that was typed in a word processor
			t = "-" + strings.TrimLeft(t, "/–")
		}
		if i > 0 && compute.TakesValue(args[i-1].Text) {
			continue
		}
		last := i+1 >= len(args)
		switch {
		case len(t) > 1 && (strings.HasPrefix("-command", t) || strings.HasPrefix("-commandwithargs", t)):
			if last || args[i+1].Text == "-" {
				d.windowsInput(windows.PowerShell, run, st)
			} else {
				d.windowsScript(windows.PowerShell, compute.Join(args[i+1:]), run, st)
			}
			return
		case (len(t) > 1 && strings.HasPrefix("-encodedcommand", t) || t == "-ec") && !last:
			if text, ok := compute.UTF16Base64(args[i+1].Text); ok {
				d.windowsScript(windows.PowerShell, word(text), run, st)
			} else {
				d.doubt("code", args[i+1].Text, run)
			}
			return
		case len(t) > 1 && strings.HasPrefix("-file", t), strings.HasSuffix(t, ".ps1") && t[0] != '-':
			if at := i + strings.Count(t[:1], "-"); at < len(args) {
				c := &call{d: d, run: run, st: st, name: name, dir: d.here(st)}
				c.RunFile(windows.PowerShell, args[at])
			}
			return
		case !strings.HasPrefix(t, "-"):
			d.windowsScript(windows.PowerShell, compute.Join(args[i:]), run, st)
			return
		}
	}
	d.windowsInput(windows.PowerShell, run, st)
}

// commandPrompt interprets cmd: the text after /c or /k, with or without a blank.
func (d *deriver) commandPrompt(run int, st *state) {
	args := d.set.Runs[run].Args
	for i := range args {
		t := strings.TrimLeft(args[i].Text, "/")
		if slashes := len(args[i].Text) - len(t); slashes == 0 || t == "" || strings.IndexByte("ckrCKR", t[0]) < 0 {
			continue
		}
		line := compute.Join(args[i+1:])
		line.Text = strings.TrimSpace(t[1:] + " " + line.Text)
		d.windowsScript(windows.Batch, line, run, st)
		return
	}
	d.windowsInput(windows.Batch, run, st)
}

func (d *deriver) windowsInput(language string, run int, st *state) {
	if st.in.network {
		d.set.Codes = append(d.set.Codes, model.Code{Language: language, Origin: model.Network, Run: run})
	}
	if st.in.text != "" {
		d.windowsScript(language, model.Word{Text: st.in.text, Known: st.in.known}, run, st)
	}
}

func (d *deriver) windowsScript(language string, line model.Word, run int, st *state) {
	if !line.Known {
		d.doubt("code", line.Text, run)
	}
	origin := model.Inline
	if line.Network {
		origin = model.Network
	}
	d.set.Codes = append(d.set.Codes, model.Code{Language: language, Text: line.Text, Origin: origin, Run: run})
	d.inline(language, line.Text, run, st)
}
