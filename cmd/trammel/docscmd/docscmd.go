// Package docscmd is trammel docs: the pages of the documentation, built into
// the program.
package docscmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/docs"
	"github.com/trammel-dev/trammel/internal/terminal"
)

// New is the command.
func New() *cobra.Command {
	cmd := &cobra.Command{Use: "docs [TOPIC]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return topics(), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) > 0:
			text, err := find(args[0])
			if err != nil {
				fmt.Fprintln(cli.Stderr{}, "trammel:", cli.Message(err))
				return cli.Exit(2)
			}
			if *asJSON {
				return cli.JSON(cmd.OutOrStdout(), map[string]string{"topic": args[0], "text": text})
			}
			return show(cmd.OutOrStdout(), text)
		case *asJSON:
			return cli.JSON(cmd.OutOrStdout(), docs.Pages())
		}
		return list(cmd.OutOrStdout())
	}
	return cmd
}

func topics() (names []string) {
	for _, p := range docs.Pages() {
		names = append(names, p.Topic)
	}
	return names
}

var headings = map[string]string{"page": "PAGES", "reference": "REFERENCE", "recipe": "RECIPES", "policy": "POLICIES"}

func list(w io.Writer) error {
	var rows [][]string
	group := ""
	for _, p := range docs.Pages() {
		if p.Group != group {
			group = p.Group
			rows = append(rows, []string{headings[group], ""})
		}
		rows = append(rows, []string{p.Topic, p.Title})
	}
	return cli.Table(w, rows)
}

// find is the text of a topic, or of the section that it names.
func find(topic string) (string, error) {
	name, anchor, part := strings.Cut(topic, "#")
	page, ok := docs.Find(name)
	if !ok {
		return "", fmt.Errorf("no page is named %q%s; `trammel docs` lists them", name,
			cmp.Or(cli.DidYouMean(name, topics()), about(name)))
	}
	if !part {
		return page.Text, nil
	}
	text := page.Section(docs.Anchor(anchor))
	if text == "" {
		return "", fmt.Errorf("the page %s has no heading %q%s", page.Topic, anchor, cli.DidYouMean(docs.Anchor(anchor), page.Anchors()))
	}
	return text, nil
}

// about says which pages use a word most often for their length.
func about(word string) string {
	pages := docs.Pages()
	uses := map[string]int{}
	for _, p := range pages {
		uses[p.Topic] = 1000 * strings.Count(strings.ToLower(p.Text), strings.ToLower(word)) / (1 + len(p.Text)/1000)
	}
	slices.SortStableFunc(pages, func(a, b docs.Page) int { return uses[b.Topic] - uses[a.Topic] })
	var names []string
	for _, p := range pages[:min(3, len(pages))] {
		if uses[p.Topic] > 0 && len(word) > 2 {
			names = append(names, p.Topic)
		}
	}
	if names == nil {
		return ""
	}
	return "; it is mentioned in " + strings.Join(names, ", ")
}

// show prints a text, on a terminal through a pager.
func show(w io.Writer, text string) error {
	if !cli.IsStdout(w) || !terminal.Is(os.Stdout) {
		_, err := io.WriteString(w, text)
		return err
	}
	text = cli.Page(w, text)
	pager := strings.Fields(os.Getenv("PAGER"))
	if len(pager) == 0 {
		pager = []string{"less", "-FRX"}
	}
	cmd := exec.Command(pager[0], pager[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), os.Stdout, os.Stderr
	if err := cmd.Run(); errors.Is(err, exec.ErrNotFound) {
		_, err = io.WriteString(w, text)
		return err
	}
	return nil // the exit code of a pager does not matter
}
