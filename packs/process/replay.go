package process

import (
	"encoding/json"

	"github.com/trammel-dev/trammel/evidence"
)

// Recorded is a control call from the log. It is history: nothing is run again,
// and nothing may act on it.
type Recorded struct {
	Seq    uint64 `json:"seq"`
	Time   string `json:"time"`
	Reason string `json:"reason,omitempty"`
	Told
}

// Told is the part of the record about the call and the reasons for its route.
type Told struct {
	Action         string   `json:"action"`
	ActorID        string   `json:"actor_id,omitempty"`
	ActorRole      string   `json:"actor_role,omitempty"`
	Payload        string   `json:"payload_hash,omitempty"`
	Run            string   `json:"run_id,omitempty"`
	Process        string   `json:"process_id,omitempty"`
	ProfileVersion string   `json:"profile_version,omitempty"`
	ProfileDigest  string   `json:"profile_hash,omitempty"`
	Revision       string   `json:"revision,omitempty"`
	Status         string   `json:"status"`
	Code           string   `json:"code,omitempty"`
	Route          string   `json:"route,omitempty"`
	Gate           string   `json:"gate_id,omitempty"`
	GateType       string   `json:"gate_type,omitempty"`
	Missing        []string `json:"missing_artifacts,omitempty"`
	Role           string   `json:"required_role,omitempty"`
	Scope          string   `json:"required_scope,omitempty"`
	Approval       string   `json:"approval_request_id,omitempty"`
	Created        []struct {
		ID     string `json:"artifact_id"`
		Type   string `json:"type"`
		Digest string `json:"payload_hash"`
	} `json:"created_artifacts,omitempty"`
	Hooks []struct {
		Hook    string `json:"hook_id"`
		Input   string `json:"input_hash,omitempty"`
		Output  string `json:"output_hash,omitempty"`
		Failure string `json:"failure,omitempty"`
		Seq     uint64 `json:"seq,omitempty"`
	} `json:"hook_calls,omitempty"`
	Effect string `json:"effect_hash,omitempty"`
	Mode   string `json:"effect_mode,omitempty"`
	Key    string `json:"idempotency_key,omitempty"`
	Replay bool   `json:"idempotent_replay,omitempty"`
	// Preflight is true for the check right before an effect.
	Preflight bool `json:"preflight,omitempty"`
}

// Replay reads the control calls of a log, oldest first: of one run, or of all
// if run is "".
func Replay(log, run string, fn func(Recorded) error) error {
	return evidence.Scan(log, func(e evidence.Entry) error {
		var rec struct {
			Event, Time string
			Control     Told
			Verdict     struct{ Reason string }
		}
		if err := json.Unmarshal(e.Body, &rec); err != nil || rec.Event != evidence.ControlCall || run != "" && rec.Control.Run != run {
			return err
		}
		return fn(Recorded{e.Seq, rec.Time, rec.Verdict.Reason, rec.Control})
	})
}
