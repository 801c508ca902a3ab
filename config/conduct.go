package config

import (
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// authority sets what the hook may do.
func (c *compiler) authority(d *declared) {
	h := d.decl
	d.hook.May = c.defaultMay(d)
	if d.has(&h.May) {
		d.hook.May = trammel.Authority(h.May)
		if d.hook.May < d.form.may {
			d.source.fail(d.at(&h.May), "may: "+d.form.may.String(), "%s is more than the hook may do", d.form.key)
		}
	}
	if h.Pack != nil && d.hook.May > trammel.Observe {
		d.source.fail(d.at(&h.May), "may: observe", "a hook of a pack never decides")
	}
	if d.hook.May == trammel.Grant && d.file.Layer == layers.Project {
		at := d.at(h)
		if d.has(&h.May) {
			at = d.at(&h.May)
		}
		d.source.fail(at, "at most guard", "a project cannot grant, because the agent can edit its files")
	}
	if h.Allow != nil && d.hook.May < trammel.Grant {
		c.note(CodeNoGrant, d.file.Path, d.hook.Source.Line, "hook %q: allow has no effect without may: grant, which only the machine's and the "+
			"user's files can give", h.ID)
	}
}

// doubt sets whether an unknown match counts as a match. Rules decide that
// themselves; for other hooks it does if they guard something that has not
// happened yet.
func (c *compiler) doubt(d *declared) {
	h := d.decl
	before := slices.ContainsFunc(d.hook.On, func(k trammel.Kind) bool {
		return k.Can().Any(trammel.CanAsk) || k == trammel.ToolInputTransform
	})
	switch {
	case d.has(&h.Unknown):
		d.hook.Match.Doubt = h.Unknown != "allow"
	case d.form.kind == "rule":
		d.hook.Match.Doubt = before && (h.Deny != nil || h.Ask != nil)
	default:
		d.hook.Match.Doubt = before && d.hook.May >= trammel.Guard
	}
}

func (c *compiler) defaultMay(d *declared) trammel.Authority {
	switch d.form.kind {
	case "builtin":
		p, _ := c.reg.Policy(string(d.decl.Use))
		return p.May
	case "command", "http":
		if d.decl.Check != "" {
			return trammel.Guard
		}
		may := trammel.Contextual
		for _, k := range d.hook.On {
			switch can := k.Can(); {
			case can.Any(trammel.Block):
				return trammel.Guard
			case can.Any(trammel.RewriteInput | trammel.RewriteOutput):
				may = trammel.Rewrite
			}
		}
		return may
	case "model":
		if d.decl.Model.Schema == decisionReply {
			return trammel.Guard
		}
	}
	return d.form.may
}

// conduct sets how the hook runs: order, time, failure, profile.
func (c *compiler) conduct(d *declared) {
	h := d.decl
	blockable := d.blockable()
	if def := d.Defaults; def != nil {
		d.hook.Priority, d.hook.Timeout = def.Priority, duration(def.Timeout)
		if on := trammel.OnError(def.OnError); on != trammel.BlockOnError || blockable {
			d.hook.OnError = on
		}
	}
	if d.has(&h.Priority) {
		d.hook.Priority = h.Priority
	}
	if d.has(&h.Timeout) {
		d.hook.Timeout = duration(h.Timeout)
		c.granted(d)
	} else if h.Check != "" && d.hook.Timeout == 0 {
		d.hook.Timeout = checkTimeout
	} else if h.Approve != nil && d.hook.Timeout == 0 {
		d.hook.Timeout = approvalTimeout
	}
	if d.has(&h.OnError) {
		d.hook.OnError = trammel.OnError(h.OnError)
		if d.hook.OnError == trammel.BlockOnError && !blockable && len(d.hook.On) > 0 {
			d.source.fail(d.at(&h.OnError), "warn or ignore", "none of the hook's events can be blocked")
		}
	} else if h.Check != "" && d.hook.OnError == trammel.DefaultOnError {
		d.hook.OnError = trammel.BlockOnError // if it cannot be run, it has failed, too
	} else if h.Pack != nil && d.hook.OnError == trammel.DefaultOnError && d.preventable() {
		d.hook.OnError = trammel.BlockOnError // rules about its facts would find none (FST-42)
	}
	d.hook.Trial = h.Trial
	d.hook.Yields = d.yields()
	if d.has(&h.Profile) {
		d.profile = h.Profile
	}
}

// yields reports whether a person may override the hook for one call: their own
// and the project's hooks, and the machine's if they allow it. Approvals and
// self-protection cannot be overridden (TEAM-26).
func (d *declared) yields() bool {
	h := d.decl
	return (d.file.Layer != layers.Machine || h.Override == "once") && h.Approve == nil && h.Use != "self-protection"
}

// checkTimeout is the default time limit of a check; the host's limit is
// usually shorter.
const checkTimeout = 10 * time.Minute

// preventable reports whether a denial prevents one of the events.
func (d *declared) preventable() bool {
	return slices.ContainsFunc(d.hook.On, func(k trammel.Kind) bool { return k.Can().Any(trammel.Block) })
}

// blockable reports whether a denial means something on one of the events.
func (d *declared) blockable() bool {
	return slices.ContainsFunc(d.hook.On, func(k trammel.Kind) bool { return k.Can().Any(trammel.Block | trammel.Continue) })
}
