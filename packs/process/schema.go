package process

import (
	"encoding/json"
	"errors"
	"os"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// schema is the form of an artifact's payload.
type schema struct{ resolved *jsonschema.Resolved }

// schemas is step 10: the schema that a type names, or the one with its name
// under schemas/artifacts. References to other files are not followed.
func (v *validation) schemas() {
	for i, t := range v.d.Profile.ArtifactTypes {
		paths := []string{t.Schema}
		if t.Schema == "" {
			paths = []string{"schemas/artifacts/" + t.ID + ".json", "schemas/artifacts/" + t.ID + ".schema.json"}
		}
		for _, path := range paths {
			data, err := contents(v.root, path)
			if t.Schema == "" && errors.Is(err, os.ErrNotExist) {
				continue
			}
			var s jsonschema.Schema
			if err == nil {
				err = json.Unmarshal(data, &s)
			}
			var resolved *jsonschema.Resolved
			if err == nil {
				resolved, err = s.Resolve(nil)
			}
			if err != nil {
				v.wrong(StepSchemas, v.at("artifact_types[%d].schema", i), "%s: %v", path, err)
				continue
			}
			v.d.schemas[t.ID] = schema{resolved}
		}
	}
}

// check validates a payload with the schema.
func (s schema) check(payload map[string]any) error {
	if s.resolved == nil {
		return nil
	}
	data, err := canonical.Append(nil, payload)
	if err != nil {
		return err
	}
	var plain any
	if err := json.Unmarshal(data, &plain); err != nil {
		return err
	}
	return s.resolved.Validate(plain)
}
