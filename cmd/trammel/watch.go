package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/watch"
)

func watchCmd() *cobra.Command {
	var o office
	cmd := &cobra.Command{Use: "watch [FILTER]", Args: cobra.ArbitraryArgs}
	o.dir = cmd.Flags().String("dir", "", "the directory to look from (default: the current one)")
	page := cmd.Flags().String("page", "http://127.0.0.1:7777", "the address of the console, for opening pages")
	cmd.RunE = o.open(func(cmd *cobra.Command, args []string) error {
		if !terminal.Is(os.Stdout) {
			return errors.New("trammel watch needs a terminal; for programs there is: trammel evidence tail --json")
		}
		source := &watch.Local{Service: o.Service, Logs: filepath.Join(o.program.Dirs.State, "evidence")}
		ring, err := approvals.LoadKeyring(o.program.Dirs.State)
		if err != nil {
			return err
		}
		if ring.Authority != nil {
			source.Identity = "authority:" + approvals.KeyID(ring.Authority.Public)
		}
		self, err := os.Executable()
		if err != nil {
			return err
		}
		err = watch.Run(cmd.Context(), watch.Deps{
			Source:  source,
			Unlock:  o.watcher,
			Refuses: gate(nil, nil).NoAgent,
			Command: func(args ...string) *exec.Cmd { return exec.Command(self, append(args, "--dir", *o.dir)...) },
			Open:    func(path string) error { return browser(*page + path) },
			Filter:  strings.Join(args, " "),
			ASCII:   !speaksUTF8(),
		})
		if errors.Is(err, tea.ErrInterrupted) {
			return cli.Exit(130)
		}
		return err
	})
	return cmd
}

// watcher asks the user to prove that they are a person.
func (o *office) watcher(ctx context.Context) (found watch.Person, err error) {
	err = inPerson(o.program, o.root, func(p *person) error {
		who, err := p.unlock(ctx)
		if err == nil {
			found = &watch.LocalPerson{Service: o.Service, Identity: who.identity, Key: who.key}
		}
		return err
	})
	return found, err
}

// speaksUTF8 reports whether the terminal uses UTF-8, according to the locale.
func speaksUTF8() bool {
	locale := strings.ToLower(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
	return runtime.GOOS == "windows" || strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
}

// browser opens an address as the system does.
func browser(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	}
	return exec.Command("xdg-open", url).Start()
}
