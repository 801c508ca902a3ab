package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/expression"
)

// condition is an expression of a rule, ready to evaluate.
type condition struct {
	node *expression.Node
	named
}

// named is what an expression refers to.
type named struct {
	bound   bool // program or args
	effects bool // lists of effects, or questions about them
	lists   bool // lists
	past    bool // what the session has done before

	onProgram, onArgs, onPath bool       // what the expression compares as text
	onLine                    bool       // it looks at a part of the command line, and not all of it
	onText                    bool       // it looks at a part of the arguments
	onRuns, notRuns, nots     bool       // it asks whether a program runs, or does not, or anything is not
	ran                       [][]string // the programs that it asks for, each with words
	asked                     match.Spec // the files and hosts that it asks for
	values, parts             []string   // the options whose values it asks for, and those of which it looks at a part
	inputs                    []string   // the arguments of the tool of which it looks at a part
	fields                    []string   // all arguments of the tool that it names
	some                      []excerpt  // the parts of texts that it looks at
	lines                     bool       // it looks at the command line
	onPaths                   bool       // it looks at the places that the call names
	onRunsList, onFilesList   bool       // the lists that it looks at
	onNetsList, anyRun        bool       // with anyRun it is content with one program of many
	words                     []string   // the words that it asks for
	texts                     []string   // the texts that it has, which may be names of programs
}

// asks notes a question about effects, which is then all that an allow rule covers.
func (n *named) asks(node *expression.Node) {
	kinds := map[string][]trammel.ActionKind{"reads": {trammel.ReadAction, trammel.SearchAction},
		"writes": {trammel.WriteAction, trammel.EditAction}, "deletes": {trammel.DeleteAction}, "talks_to": {trammel.FetchAction}}[node.Text]
	if node.Text == "runs" {
		var asked []string
		for i := range node.Kids {
			asked = append(asked, node.Kids[i].Text)
		}
		n.onRuns, n.ran = true, append(n.ran, asked)
	}
	n.asked.Actions = append(n.asked.Actions, kinds...)
	for i := range node.Kids {
		switch {
		case kinds == nil:
		case node.Text == "talks_to":
			n.asked.To = append(n.asked.To, node.Kids[i].Text)
		default:
			n.asked.Paths = append(n.asked.Paths, node.Kids[i].Text)
		}
	}
}

// load reads the expression at a place of the declaration.
func (c *Config) load(where, source string) (*condition, error) {
	code, ok := c.Code[source]
	if !ok {
		return nil, fmt.Errorf("%s: it is not compiled", where)
	}
	node, err := expression.Parse(code)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	out := &condition{node: node}
	node.Visit(out.see)
	return out, nil
}

func (n *named) see(node *expression.Node) {
	n.onLine = n.onLine || node.Op != expression.SameText && node.Op != expression.Equal && node.Op != expression.In &&
		slices.ContainsFunc(node.Kids, isLine)
	n.fields = append(n.fields, inputOf(node)...)
	each := node.Op == expression.Loop && (node.Text == "all" || node.Text == "none")
	for i := range node.Kids {
		n.anyRun = n.anyRun || !each && isRuns(&node.Kids[i])
		n.lines = n.lines || isLine(node.Kids[i])
	}
	switch node.Op {
	case expression.Not:
		n.nots = true
		node.Kids[0].Visit(func(part *expression.Node) { n.notRuns = n.notRuns || part.Op == expression.Ask && part.Text == "runs" })
	case expression.StartsWith, expression.Contains, expression.EndsWith, expression.Matches, expression.Pattern:
		n.some = append(n.some, excerptOf(node))
		node.Kids[0].Visit(func(part *expression.Node) { // lower(input.sql) startsWith "select"
			n.parts = append(n.parts, valuesOf(part)...)
			n.inputs = append(n.inputs, inputOf(part)...)
			n.onText = n.onText || part.Op == expression.Name && part.Text == "args.text"
		})
		if (isLine(node.Kids[0]) || node.Kids[0].Op == expression.Name && node.Kids[0].Text == "args.text") && len(node.Kids) > 1 {
			n.words = append(n.words, lineWords(node.Kids[1].Text)...)
		}
	case expression.Name, expression.Ask:
	case expression.Text:
		n.texts = append(n.texts, node.Text)
		return
	default:
		return
	}
	n.values = append(n.values, valuesOf(node)...)
	if node.Op == expression.Ask && (node.Text == "runs" || strings.HasPrefix(node.Text, "args.")) {
		for i := range node.Kids {
			n.words = append(n.words, node.Kids[i].Text)
		}
	}
	n.past = n.past || sortOf(node.Text) != "" || node.Text == "session"
	first, rest, _ := strings.Cut(node.Text, ".")
	switch first {
	case "program":
		n.bound, n.onProgram = true, true
	case "args":
		n.bound = true
		n.onArgs = n.onArgs || rest == "list" || rest == "text" || rest == "value"
	case "interactive":
		n.bound, n.onProgram, n.onArgs = true, true, true
	case "path":
		n.onPath = true
	case "paths":
		n.onPaths = true
	case "action":
		n.onPaths = n.onPaths || rest == "paths"
	case "commands", "effects":
		n.effects, n.lists = true, true
		n.onRunsList = n.onRunsList || isRuns(node)
		n.onFilesList = n.onFilesList || rest == "files"
		n.onNetsList = n.onNetsList || rest == "nets"
	default:
		if node.Op == expression.Ask {
			n.effects = true
			n.asks(node)
		}
	}
}

// isRuns reports whether a part of an expression is the list of programs that run.
func isRuns(n *expression.Node) bool {
	return n.Op == expression.Name && (n.Text == "commands" || n.Text == "effects.runs")
}

// lineWords are the words of a part of a command line, an option together with what may be
// its value: --context=dev.
func lineWords(text string) []string {
	words := strings.Fields(text)
	for i, word := range words {
		if word[0] == '-' && i+1 < len(words) && words[i+1][0] != '-' {
			words[i] += "=" + words[i+1]
		}
	}
	return words
}

// valuesOf are the options whose value a part of an expression asks for.
func valuesOf(n *expression.Node) (out []string) {
	if n.Op == expression.Ask && n.Text == "args.value" {
		for i := range n.Kids {
			out = append(out, n.Kids[i].Text)
		}
	}
	return out
}

// inputOf is the argument of the tool that a part of an expression is.
func inputOf(n *expression.Node) []string {
	if n.Op == expression.Field && n.Kids[0].Op == expression.Name && n.Kids[0].Text == "input" && n.Kids[1].Op == expression.Text {
		return []string{n.Kids[1].Text}
	}
	return nil
}

// isLine reports whether a part of an expression is the command line.
func isLine(n expression.Node) bool {
	if n.Op == expression.Field && n.Kids[0].Op == expression.Name && n.Kids[0].Text == "input" {
		return n.Kids[1].Op == expression.Text && (n.Kids[1].Text == "command" || n.Kids[1].Text == "cmd")
	}
	return n.Op == expression.Name && (n.Text == "command" || n.Text == "action.command")
}

// Names are the names of the vocabulary in the rule's expressions:
// "input.amount", "session.mode", and "input" if the field is not known. Names
// that occur only in texts for people are not included.
func (c *Config) Names() ([]string, error) {
	var out []string
	sources := append(slices.Collect(maps.Values(c.Input)), c.When, c.After, c.Output)
	for _, source := range sources {
		if source == "" {
			continue
		}
		e, err := c.load("expression", source)
		if err != nil {
			return nil, err
		}
		member := map[*expression.Node]bool{}
		e.node.Visit(func(n *expression.Node) {
			switch {
			case n.Op == expression.Field && n.Kids[0].Op == expression.Name && n.Kids[1].Op == expression.Text:
				member[&n.Kids[0]] = true
				out = append(out, n.Kids[0].Text+"."+n.Kids[1].Text)
			case n.Op == expression.Ask, n.Op == expression.Name && !member[n]:
				out = append(out, n.Text)
			}
		})
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
