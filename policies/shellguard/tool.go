package shellguard

import (
	"cmp"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// destroys reports whether a server's tool removes something important, by the words
// of its name: delete_repository, kubectl_delete, flushall.
func destroys(call *trammel.ToolCall) bool {
	if !foreign(call) {
		return false
	}
	name := call.Action.Tool
	name = cmp.Or(name, call.Name)
	gone, what, sure, kept, bulk := false, false, false, false, false
	for _, word := range append(words.Of(name), operation(call.Input)...) {
		does := words.Verb(word)
		if does == words.Wipes || strings.HasPrefix(word, "prune") {
			return true
		}
		bulk = bulk || word == "bulk" || word == "batch"
		gone, sure, what = gone || does >= words.Takes || word == "empty", sure || does >= words.Removes, what || words.Thing(word)
		kept = kept || words.Kept(word)
	}
	if verb, _ := call.Input["command"].(string); verb == "delete" || verb == "destroy" || verb == "drain" {
		gone = true
	}
	for field := range input(call, name) { // empty {"bucket": "x"}: what is said by the argument's name
		what = what || words.Thing(strings.ToLower(field))
	}
	return gone && what || sure && (kept || bulk) || words.Deletes(call.Input)
}

// input are the arguments of a tool whose name is nothing but a verb.
func input(call *trammel.ToolCall, name string) map[string]any {
	if len(words.Of(name)) > 1 {
		return nil
	}
	return call.Input
}

// operation are the words by which the arguments of a tool for many things say what it
// is to do, and to what: {"operation": "DeleteDBInstance"}, {"op": "drop", "target": {"kind": "table"}}.
func operation(input map[string]any) (out []string) {
	command, _ := input["command"].(map[string]any) // of MongoDB: {"dropDatabase": 1}
	for name := range command {
		out = append(out, words.Of(name)...)
	}
	return append(out, words.Operation(input, 0)...)
}

// foreign reports whether a tool belongs to a server, or is unknown.
func foreign(call *trammel.ToolCall) bool {
	return call.Action.Kind == trammel.MCPAction || call.Action.Kind == trammel.OtherAction
}

// showsSecret reports whether a server's tool returns a secret, by the words of its
// name, which are the same as for programs: get_secret, reveal-password.
func showsSecret(call *trammel.ToolCall) bool {
	if call.Action.Kind != trammel.MCPAction && call.Action.Kind != trammel.OtherAction {
		return false
	}
	r := model.Run{Program: "(tool)"}
	for _, word := range words.Of(cmp.Or(call.Action.Tool, call.Name)) {
		r.Args = append(r.Args, model.Word{Text: word, Known: true})
	}
	for _, field := range [...]string{"resourceType", "resource_type", "resource", "kind", "type"} { // and one by its name
		if kind, _ := call.Input[field].(string); kind != "" && call.Input["name"] != nil {
			r.Args = append(r.Args, model.Word{Text: strings.ToLower(kind), Known: true})
		}
	}
	if programs.Reveals(&r) {
		return true
	}
	r.Program = strings.ToLower(call.Action.Server) // of one that is named after what it is for: vault
	return r.Program == "vault" && programs.Reveals(&r)
}

// toolSends judges what a tool itself sends: secrets that its code reads, or gets from
// the programs that it starts.
func (j *judge) toolSends(n *model.Net) {
	if !n.Sends || local(n.Host) {
		return
	}
	for i := range j.set.Files {
		if f := &j.set.Files[i]; f.Run < 0 && f.Op == effects.Read && j.secret(f) {
			j.add("exfiltration", where(f.Path)+" → "+j.goal(n))
		}
	}
	for i := range j.set.Runs {
		if j.set.Runs[i].By < 0 && (j.dumps(i) || j.exportsKey(i)) {
			j.add("exfiltration", j.line(i)+" → "+j.goal(n))
		}
	}
}
