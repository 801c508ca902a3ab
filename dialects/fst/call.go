package fst

import (
	"github.com/trammel-dev/trammel/internal/strict"
)

// Call is the record that a hook is called with. A hook may read only hook_id
// and payload of it, and a caller may give only these.
type Call struct {
	Hook           string
	Run            string
	Profile        string
	ProfileVersion string
	ArtifactType   string
	Payload        map[string]any
}

// AppendLine appends the record as one line, always with the same bytes for
// the same call.
func (c *Call) AppendLine(dst []byte) ([]byte, error) {
	var w strict.Writer
	w.Open()
	w.Texts("protocol_version", CallProtocol, "hook_id", c.Hook, "run_id", c.Run, "profile_id", c.Profile,
		"profile_version", c.ProfileVersion, "input_artifact_type", c.ArtifactType)
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
	}
	if c.Hook == "" {
		f.Refuse("hook_id", "the id of a hook")
	}
	return c, f.Done()
}
