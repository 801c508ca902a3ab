package condition

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/plan"
)

// does is what tools of a kind can do. Others may do anything.
var does = map[trammel.ActionKind][]trammel.ActionKind{
	trammel.ReadAction:   {trammel.ReadAction},
	trammel.SearchAction: {trammel.SearchAction, trammel.ReadAction},
	trammel.WriteAction:  {trammel.WriteAction, trammel.EditAction},
	trammel.EditAction:   {trammel.WriteAction, trammel.EditAction, trammel.DeleteAction, trammel.ReadAction}, // a patch
	trammel.DeleteAction: {trammel.DeleteAction},
	trammel.FetchAction:  {trammel.FetchAction},
}

// Impossible finds tools that cannot do what the other keys of the match name.
func Impossible(m *plan.Match, tools map[string]trammel.ActionKind) []Mistake {
	if len(m.Tools) == 0 {
		if len(m.Actions) == 1 && m.Actions[0] == trammel.AgentAction && len(m.Programs)+len(m.Paths)+len(m.To) > 0 {
			return []Mistake{{Code: "never-matches", Fix: "leave action out", Text: "starting an agent runs no program and touches no file or host"}}
		}
		return nil
	}
	files, fetches := false, false
	for _, name := range m.Tools {
		can, known := does[tools[name]]
		if !known || match.SearchesWeb(name) {
			return nil
		}
		fetches = fetches || slices.Contains(can, trammel.FetchAction)
		files = files || !slices.Contains(can, trammel.FetchAction)
	}
	able := len(m.Actions) == 0 || slices.ContainsFunc(m.Tools, func(name string) bool {
		return slices.ContainsFunc(does[tools[name]], func(a trammel.ActionKind) bool { return slices.Contains(m.Actions, a) })
	})
	text := ""
	switch {
	case !able:
		text = fmt.Sprintf("%s never does this: %s", m.Tools[0], m.Actions[0])
	case len(m.To) > 0 && !fetches:
		text = m.Tools[0] + " contacts no host"
	case len(m.Paths) > 0 && !files:
		text = m.Tools[0] + " touches no file"
	default:
		return nil
	}
	return []Mistake{{Code: "never-matches", Fix: "leave one of the two out", Text: text}}
}
