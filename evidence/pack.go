package evidence

import "time"

// PackCall is the event of records about calls of a pack's hook outside of an
// agent's event.
const PackCall = "pack_call"

// PackRecord is what such a record holds besides the hook's part: the call and
// its outcome. Contents are only digests, in the hook's part.
type PackRecord struct {
	Call                     string // unique among the calls of one run of the program
	Hook                     string // its id in the pack, where the record's hook is one of a configuration
	Dir, Runtime, Kind, Type string
	Entrypoint               string // its path in the pack; the digest is in the hook's part
	Run                      string
	Profile, ProfileVersion  string
	ArtifactType             string
	Status                   string
	Valid                    *bool
	Route                    string // of a failure, from the caller's profile
}

func (p PackRecord) fill(o *object) {
	o.text("call_id", p.Call, "dir", p.Dir, "entrypoint", p.Entrypoint, "hook", p.Hook, "input_artifact_type", p.ArtifactType)
	o.raw("kind", p.Kind)
	o.text("profile_id", p.Profile, "profile_version", p.ProfileVersion)
	o.raw("route", p.Route)
	o.text("run_id", p.Run, "runtime", p.Runtime)
	o.raw("status", p.Status, "type", p.Type)
	if p.Valid != nil {
		o.value("valid", *p.Valid)
	}
}

// ForPack makes the record of one call of a pack's hook.
func ForPack(p PackRecord, h HookRecord, when time.Time) *Record {
	return &Record{ID: NewID(when), Time: when, Event: PackCall, Dir: p.Dir, Hooks: []HookRecord{h}, Pack: &p, Input: h.Input,
		Micros: h.Micros}
}
