package trammel

// maxRounds bounds how often guards inside the process may rewrite each
// other's arguments.
const maxRounds = 3

// guard asks all guards about the final call. A rewrite changes what the others
// have judged, so they are asked again (DA-33); a denial ends it at once.
//
// A program rewrites as a transform does: once, and it is not asked about its
// own rewrite, which it would take for a new call. A guard inside the process
// is asked until it no longer rewrites.
func (d *dispatch) guard() {
	from, to := d.bounds(Guards)
	before, restless := *d.verdict, 0
	for round := 1; from < to; round++ {
		version := d.version
		for at, end := from, to; at < to; at = end {
			if d.work.Kind.transforms() { // in turn, each seeing the rewrites before it
				at = d.cand.next(at, to)
				end = min(at+1, to)
			} else {
				end = to
			}
			asked := d.runPhase(at, end, round)
			if d.insists(asked) {
				if restless++; restless >= maxRounds {
					stopRewriting(asked)
				}
			}
			d.mergeAll(asked)
			if d.verdict.Decision == Deny || d.canceled() {
				return
			}
		}
		if d.version == version {
			break
		}
		d.forget(before)
	}
	d.askRewriters()
}

// forget drops what guards said about a call that has been rewritten since, but
// for the rewrites themselves: that there was one, and why, is recorded. before
// is what the transforms came to.
func (d *dispatch) forget(before Verdict) {
	v := before
	v.Input, v.Output = d.verdict.Input, d.verdict.Output
	for _, r := range d.verdict.Runs[len(before.Runs):] {
		a := &r.Answer
		switch {
		case r.settled() || r.saw == d.version:
			v.merge(&r, r.bound.authority)
		case a.Rewrites() && !r.dropped && !r.bound.waits:
			v.Findings = append(v.Findings, a.Findings...)
			v.Diagnostics = append(v.Diagnostics, a.Diagnostics...)
		default:
			continue
		}
		v.Runs = append(v.Runs, r)
	}
	*d.verdict = v
}

// askRewriters asks the programs that rewrote, and that may deny, about the
// call as others have changed it since. They have rewritten already: only what
// they think of it counts now.
func (d *dispatch) askRewriters() {
	base := len(d.verdict.Runs)
	for i := range base {
		r := &d.verdict.Runs[i]
		if r.settled() && r.Phase == Guards && r.saw < d.version && r.bound.authority >= Guard && r.bound.Match.Matches(&d.work) &&
			!d.canceled() {
			d.add(r.bound, r.Round+1)
		}
	}
	asked := d.verdict.Runs[base:]
	if len(asked) == 0 {
		return
	}
	from, _ := d.bounds(Guards)
	d.runConcurrently(asked, from)
	for i := range asked {
		a := &asked[i].Answer
		*a = Answer{Decision: a.Decision, Reason: a.Reason, Findings: a.Findings, Diagnostics: a.Diagnostics, Trace: a.Trace}
	}
	d.mergeAll(asked)
}

// due reports whether a guard has yet to be asked about the call as it stands.
func (d *dispatch) due(b *bound) bool {
	for i := range d.verdict.Runs {
		if r := &d.verdict.Runs[i]; r.bound == b && (r.settled() || r.saw == d.version) {
			return false
		}
	}
	return true
}

// settled reports whether the run is of a program that has rewritten.
func (r *Run) settled() bool { return r.changed && r.bound.waits }

// insists reports whether a guard inside the process changes the call as it stands.
func (d *dispatch) insists(runs []Run) bool {
	for i := range runs {
		if !runs[i].bound.waits && d.changes(&runs[i].Answer) {
			return true
		}
	}
	return false
}

func stopRewriting(runs []Run) {
	for i := range runs {
		if !runs[i].bound.waits && runs[i].Answer.Rewrites() {
			fail(&runs[i], Fail(CodeUnstable, "guards still rewrote the call after %d rounds", maxRounds))
		}
	}
}
