package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Classes are the classes of scenarios that a process needs: those about what
// its profile has.
func (p *Profile) Classes(hooks bool) []string {
	gates := func(route Route) bool {
		return slices.ContainsFunc(p.Gates, func(g Gate) bool { return g.Route == route })
	}
	inputs := slices.ContainsFunc(p.Gates, func(g Gate) (found bool) {
		g.Condition.each(func(c *Condition) { found = found || c.Op == opPayloadMissing })
		return found
	})
	effects := slices.ContainsFunc(p.Actions, func(a Action) bool { return a.Mode != "" })
	var out []string
	for _, class := range []struct {
		name   string
		needed bool
	}{
		{"happy_path", true}, {"missing_required_input", inputs}, {"blocked_hard_rule", gates(Blocked)}, {"ask_user_case", gates(AskUser)},
		{"instruct_agent_case", gates(InstructAgent)}, {"approval_required", gates(AwaitApproval)}, {"hook_failure", hooks},
		{"materialization_preflight", effects}, {"idempotency_replay", true}, {"idempotency_conflict", true},
	} {
		if class.needed {
			out = append(out, class.name)
		}
	}
	return out
}

// scenarios is step 11. A scenario names its class, or has it in its id.
func (v *validation) scenarios() {
	var ids []string
	entries, _ := os.ReadDir(filepath.Join(v.root, "scenarios")) // none, if there is no such directory
	for _, e := range entries {
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) {
			continue
		}
		n, ok := v.open(v.root, "scenarios/"+e.Name(), StepScenarios)
		if !ok {
			continue
		}
		list := []node{n}
		if all := n.field("scenarios"); all.at != nil {
			list = all.list()
		}
		for _, s := range list {
			ids = append(ids, s.need("id").text(), s.field("class").text())
		}
	}
	var lacking []string
	for _, class := range v.d.Profile.Classes(v.d.Hooks != nil) {
		if !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(id, class) }) {
			lacking = append(lacking, class)
		}
	}
	if len(lacking) > 0 {
		v.wrong(StepScenarios, "scenarios", "scenarios of these classes are missing: %s", strings.Join(lacking, ", "))
	}
}
