package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals/human"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/terminal"
)

// Agreed asks a person before something is changed; with yes it does not ask.
// The error says that nothing was changed, and why.
func Agreed(cmd *cobra.Command, yes bool, question string) error {
	switch {
	case yes:
		return nil
	case !terminal.Is(os.Stdin):
		return errors.New("nothing was changed: stdin is not a terminal; pass --yes")
	case !Confirm(cmd, question):
		return errors.New("nothing was changed: you did not confirm")
	}
	return nil
}

// Confirm asks a question; everything but yes is no.
func Confirm(cmd *cobra.Command, question string) bool {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s [y/N] ", question)
	line, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "y")
}

// AgentMark is the variable by which an agent has marked the shell in which this command runs.
func AgentMark() string { return human.Marked(standard.Mark) }

// NotByAgent refuses what only a person may do, in a shell that an agent has marked as its own.
func NotByAgent(what string) error {
	if mark := AgentMark(); mark != "" {
		return fmt.Errorf("%s is set: this is an agent's shell, and only a person may %s", mark, what)
	}
	return nil
}
