package additions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/git"
)

// Date declares add_date.
func Date() trammel.Policy {
	return plain("add_date", "tells the model today's date, and when it changes", changing,
		func(_ context.Context, ev *trammel.Event) (string, error) {
			return "Today's date: " + ev.Now().Local().Format(time.DateOnly), nil
		})
}

// Environment declares add_environment_info.
func Environment() trammel.Policy {
	return plain("add_environment_info", "tells the model its directory, operating system and shell", starting,
		func(_ context.Context, ev *trammel.Event) (string, error) {
			dir := ev.Session.Dir
			if dir == "" {
				return "", errors.New("the host does not say in which directory the agent works")
			}
			repository := "no"
			if git.Root(dir) != "" {
				repository = "yes"
			}
			text := fmt.Sprintf("Here is where you work:\n<env>\nWorking directory: %s\nGit repository: %s\nOperating system: %s\nArchitecture: "+
				"%s\n", oneLine(dir), repository, runtime.GOOS, runtime.GOARCH)
			if shell := os.Getenv("SHELL"); shell != "" {
				text += "Shell: " + oneLine(filepath.Base(shell)) + "\n"
			}
			return text + "</env>", nil
		})
}

// User declares add_user_info.
func User() trammel.Policy {
	return plain("add_user_info", "tells the model the user's name and the machine's", starting, func(context.Context,
		*trammel.Event) (string, error) {
		var lines []string
		if u, err := user.Current(); err == nil {
			lines = append(lines, "User: "+oneLine(u.Username))
			if u.Name != "" && u.Name != u.Username {
				lines = append(lines, "Full name: "+oneLine(u.Name))
			}
		}
		if host, err := os.Hostname(); err == nil {
			lines = append(lines, "Host: "+oneLine(host))
		}
		return strings.Join(lines, "\n"), nil
	})
}

// oneLine prevents a name from looking like further lines.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return '?'
		}
		return r
	}, text)
}
