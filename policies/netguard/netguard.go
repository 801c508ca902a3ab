// Package netguard is the policy net-guard: which hosts an agent may talk to,
// through its own tools, commands and inline code.
package netguard

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Guard("net-guard",
		"restricts which hosts may be talked to; the credentials of cloud machines are always out of reach",
		Options{Unknown: "ask", Localhost: "allow", PackageManagers: "allow"}, build)
}

// Options configure the policy.
type Options struct {
	Allow           []string `json:"allow,omitempty" jsonschema:"The only hosts that may be talked to: github.com, *.npmjs.org, 10.0.0.0/8, example.com:8443; none means all that are not denied."`
	Deny            []string `json:"deny,omitempty" jsonschema:"Hosts that may not be talked to, in the same forms; this wins over allow."`
	Unknown         string   `json:"unknown,omitempty" enum:"allow,ask,deny" jsonschema:"What happens where the host is unknown."`
	Localhost       string   `json:"localhost,omitempty" enum:"allow,check" jsonschema:"Whether the machine itself is always allowed or checked against the lists."`
	PackageManagers string   `json:"package_managers,omitempty" enum:"allow,check" jsonschema:"Whether package managers may use their usual registries or these are checked against the lists."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	g := &guard{Options: o}
	var err error
	if g.allow, err = parseList(g.Allow); err != nil {
		return nil, fmt.Errorf("allow: %w", err)
	}
	if g.deny, err = parseList(g.Deny); err != nil {
		return nil, fmt.Errorf("deny: %w", err)
	}
	return g, nil
}

type guard struct {
	Options
	allow, deny list
}

// Handle judges one event.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil {
		return trammel.Answer{}, nil
	}
	j := judgement{guard: g, set: effects.Of(ev)}
	for _, n := range effects.Hosts(j.set) {
		switch {
		case n.Listens:
		case n.Own:
			j.service(&n)
		default:
			j.net(&n)
		}
	}
	for i := range j.set.Runs {
		j.urls(&j.set.Runs[i])
	}
	j.doubts()
	return j.report, nil
}

type judgement struct {
	*guard
	set    *effects.Set
	report trammel.Answer
}

func (j *judgement) add(d trammel.Decision, code, target, reason string) {
	j.report.Add(d, trammel.Finding{Code: code, Target: target}, reason)
}

func (j *judgement) net(n *model.Net) {
	hosts := hostsOf(n)
	if len(hosts) == 0 {
		j.unknown(n.URL)
	}
	for i := range hosts {
		j.host(&hosts[i])
	}
}

func (j *judgement) host(h *host) {
	switch {
	case h.open:
		j.unknown(h.name)
	case j.deny.has(h):
		j.add(trammel.Deny, "host_denied", h.name, fmt.Sprintf("The policy net-guard denies talking to %s. Do without it, or ask the "+
			"person.", h))
	case h.metadata() && !j.allow.names(h):
		j.add(trammel.Deny, "metadata_address", h.name, fmt.Sprintf("%s is where a cloud machine gets its credentials, which are not for "+
			"agents. Ask the person for what you need from it.", h))
	case j.Localhost == "allow" && h.loopback(), j.allow.has(h):
	case len(j.allow) > 0:
		j.add(trammel.Deny, "host_not_allowed", h.name, fmt.Sprintf("%s is not among the hosts that net-guard allows. Use one "+
			"that is, or ask the person to add it to `allow`.", h))
	case h.odd:
		j.unknown(h.name)
	}
}

// unknown judges an unknown host. It matters only if some hosts are not allowed.
func (j *judgement) unknown(what string) {
	if len(j.allow)+len(j.deny) > 0 {
		j.add(trammel.DecisionOf(j.Unknown), "unknown_host", what, fmt.Sprintf("It is unknown which host %q talks to, and not all are allowed "+
			"here. Name the host in the command.", what))
	}
}

// doubts judges code and programs that could not be read. An unknown file name
// does not matter, because it sends nothing.
func (j *judgement) doubts() {
	if len(j.allow) == 0 {
		return
	}
	for i := range j.set.Doubts {
		switch d := &j.set.Doubts[i]; d.Code {
		case "program", "code", "stdin", "syntax", "size", "depth":
			j.unknown(d.What)
			return
		}
	}
}
