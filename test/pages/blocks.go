package pages

import (
	"regexp"
	"strings"
)

// Block is a fenced part of a page.
type Block struct {
	Page string
	Line int
	// Language is the first word behind the fence; Why is the second: why the
	// commands in it are not executed by the test.
	Language, Why, Text string
}

// Whys are the reasons for which commands in a page are not executed.
var Whys = map[string]string{
	"agent":   "it needs an agent that is installed",
	"build":   "it builds the project, as other tests do",
	"network": "it talks to the network",
	"person":  "a person at a terminal has to answer",
	"record":  "it shows a record of earlier work",
	"root":    "it changes the machine",
	"server":  "it needs a running server",
	"values":  "it has values in it that differ for everybody",
}

// Blocks are the fenced parts of a page.
func Blocks(page, text string) []Block {
	var out []Block
	var open *Block
	number := 0
	for line := range strings.Lines(text) {
		number++
		info, fence := strings.CutPrefix(line, "```")
		hidden, isHidden := strings.CutPrefix(line, "<!-- run: ")
		switch {
		case isHidden && open == nil: // what has to be done before, and no reader has to see
			out = append(out, Block{Page: page, Line: number, Language: "sh", Text: strings.TrimSuffix(strings.TrimSpace(hidden), "-->") + "\n"})
		case fence && open == nil:
			language, why, _ := strings.Cut(strings.TrimSpace(info), " ")
			open = &Block{Page: page, Line: number, Language: language, Why: why}
		case fence:
			out = append(out, *open)
			open = nil
		case open != nil:
			open.Text += line
		}
	}
	return out
}

var commandLine = regexp.MustCompile(`(?m)^(\$ )?([A-Z_]+=\S+ )*(sudo )?(trammel|trammel-hook|make|npm|go|curl|git) \S`)

// Commands reports whether there are commands in it.
func (b *Block) Commands() bool {
	switch b.Language {
	case "sh", "console":
		return true
	case "", "text", "bash", "shell":
		return commandLine.MatchString(b.Text)
	}
	return false
}

// Step is a command of a block, and what the page shows of its output.
type Step struct {
	Command string
	Shown   []string
}

// Steps are the commands of a block, in order. Those of a console begin with "$ ".
func (b *Block) Steps() []Step {
	if b.Language != "console" {
		return []Step{{Command: b.Text}}
	}
	var out []Step
	for line := range strings.Lines(b.Text) {
		line = strings.TrimRight(line, "\n")
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, Step{Command: command + "\n"})
		} else if len(out) > 0 && strings.TrimSpace(line) != "" && !strings.Contains(line, "…") {
			out[len(out)-1].Shown = append(out[len(out)-1].Shown, line)
		}
	}
	return out
}
