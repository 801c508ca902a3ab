package fst

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/strict"
)

// Call is the record that a hook is called with. Only hook_id and payload are
// required.
type Call struct {
	Hook           string
	Run            string
	Profile        string
	ProfileVersion string
	ArtifactType   string
	Payload        map[string]any
	// ID is for programs that serve more than one call. A result that repeats
	// it belongs to this call and to no other.
	ID string
}

// AppendLine appends the record as one line, always with the same bytes for
// the same call.
func (c *Call) AppendLine(dst []byte) ([]byte, error) {
	var w strict.Writer
	w.Open()
	w.Texts("protocol_version", CallProtocol, "hook_id", c.Hook, "run_id", c.Run, "profile_id", c.Profile,
		"profile_version", c.ProfileVersion, "input_artifact_type", c.ArtifactType, callID, c.ID)
	w.Key("payload")
	payload := c.Payload
	if payload == nil {
		payload = map[string]any{}
	}
	w.Value(payload)
	w.Close()
	if err := w.Err(); err != nil {
		return dst, err
	}
	return append(append(dst, w.Bytes()...), '\n'), nil
}

// DecodeCall reads a call, in full or in its minimal form {hook_id, payload}.
func DecodeCall(raw []byte) (Call, error) {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return Call{}, err
	}
	f := strict.FieldsOf(obj, "")
	if v := f.String("protocol_version"); v != "" && v != CallProtocol {
		f.Refuse("protocol_version", CallProtocol)
	}
	c := Call{
		Hook: f.String("hook_id"), Run: f.String("run_id"), Profile: f.String("profile_id"), ProfileVersion: f.String("profile_version"),
		ArtifactType: f.String("input_artifact_type"), Payload: f.Object("payload"),
		ID: f.String(callID),
	}
	if c.Hook == "" {
		f.Refuse("hook_id", "the id of a hook")
	}
	return c, f.Done()
}

// callID is the field of a call's ID, in calls and in results.
const callID = "call_id"

// Answers reports whether a line is a result of this call and of no other: it
// is whole, and its last field repeats the ID. The last, because a line that
// begins as one result and ends as another has the ID of the other.
func (c *Call) Answers(line []byte) bool {
	end, ok := bytes.CutSuffix(bytes.TrimRight(line, " \t\r"), []byte("}"))
	if !ok || c.ID == "" || !jsontext.Value(line).IsValid() {
		return false
	}
	end, ok = bytes.CutSuffix(bytes.TrimRight(end, " \t"), []byte(`"`+c.ID+`"`))
	if ok {
		end, ok = bytes.CutSuffix(bytes.TrimRight(end, " \t"), []byte(":"))
	}
	return ok && bytes.HasSuffix(bytes.TrimRight(end, " \t"), []byte(`"`+callID+`"`))
}
